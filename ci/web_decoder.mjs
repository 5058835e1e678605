// Answers like examples/charset_table, for the TextDecoder of this Node, which decodes with ICU's converters. There is no
// TextEncoder but that of UTF-8, so nothing is written.
//
//     $ printf 'gbk\t-\n' | node ci/web_decoder.mjs | head -3
//     = gbk 24067 0
//     00 0
//     01 1

import { readFileSync } from 'node:fs';

// The bytes of the longest sequence, and of the longest after a shift.
const LONGEST = 4;
const LONGEST_SHIFTED = 2;
const LINE_END = 0x0a;
const FAULT = '\ufffd';

const ILL_FORMED = Symbol('ill-formed');
const INCOMPLETE = Symbol('incomplete');

class Table {
  constructor(label) {
    this.label = label;
    this.read = [];
    this.renew();
    this.marking = new TextDecoder(label, { ignoreBOM: true });
  }

  // A decoder that has thrown may keep what it had read.
  renew() {
    this.strict = new TextDecoder(this.label, { fatal: true, ignoreBOM: true });
  }

  fill(ways) {
    for (const way of ways.split(',')) {
      if (way.startsWith(':')) {
        this.addRead(unhex(way.slice(1)));
      } else if (way === 'pairs') {
        for (let pair = 0; pair <= 0xffff; pair++) this.addRead([pair >> 8, pair & 0xff]);
      } else if (!way.startsWith('=') && way !== 'own') {
        const shift = unhex(way.replaceAll('-', ''));
        this.readAfter(shift, shift.length ? LONGEST_SHIFTED : LONGEST, shift.length === 0);
      }
    }
  }

  // Decodes what is `most` bytes longer than `start`, or shorter if that is complete.
  readAfter(start, most, stateless) {
    for (let byte = 0; byte <= 0xff; byte++) {
      const bytes = [...start, byte];
      if (!this.addRead(bytes) || most === 1) continue;
      if (most === 2 && stateless) this.readLines(bytes);
      else this.readAfter(bytes, most - 1, stateless);
    }
  }

  // Decodes what is one byte longer than `start`: all 256 at once, each on a line, because a decoder that throws is slow and
  // nearly all codes of four bytes are ill-formed. A fault may take some of the line ends, but not all of them.
  readLines(start) {
    const step = start.length + 1 + LONGEST;
    const lines = new Uint8Array(256 * step).fill(LINE_END);
    for (let byte = 0; byte <= 0xff; byte++) lines.set([...start, byte], byte * step);
    const text = this.marking.decode(lines);
    let at = 0;
    for (let byte = 0; byte <= 0xff; byte++) {
      const end = text.indexOf('\n', at);
      let next = end + 1;
      while (text[next] === '\n') next++;
      if (next - end === LONGEST && end > at) {
        const line = text.slice(at, end);
        // Alone, U+FFFD is a fault or what the code stands for.
        if (line === FAULT) this.addRead([...start, byte]);
        else if (!line.includes(FAULT)) this.add([...start, byte], line);
      }
      at = next;
    }
  }

  // Adds what bytes are read as, if they are well-formed. Returns whether more of them could be.
  addRead(bytes) {
    const text = this.decode(Uint8Array.from(bytes));
    if (typeof text === 'string' && text) this.add(bytes, text);
    return text === INCOMPLETE;
  }

  decode(bytes) {
    let text;
    try {
      text = this.strict.decode(bytes, { stream: true });
    } catch {
      this.renew();
      return ILL_FORMED;
    }
    try {
      return text + this.strict.decode();
    } catch {
      this.renew();
      return INCOMPLETE;
    }
  }

  add(bytes, text) {
    this.read.push(`${hex(bytes)} ${[...text].map((c) => c.codePointAt(0).toString(16).toUpperCase()).join('+')}\n`);
  }
}

const hex = (bytes) => Buffer.from(bytes).toString('hex').toUpperCase();
const unhex = (digits) => [...Buffer.from(digits, 'hex')];

for (const request of readFileSync(0, 'utf8').split('\n').filter(Boolean)) {
  const [label, ways] = request.split('\t');
  let table;
  try {
    table = new Table(label);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    process.stdout.write('?\n');
    continue;
  }
  if (ways) table.fill(ways);
  const read = table.read.join('');
  process.stdout.write(`= ${table.strict.encoding} ${read.length} 0\n${read}`);
}
