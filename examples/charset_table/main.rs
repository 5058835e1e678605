//! Prints what encodings decode and encode, one byte sequence and one character at a time, in a form that can be
//! compared with other programs. `ci/charsets` does that. With the argument `encoding_rs`, it prints that crate's
//! encodings instead, by their labels in the Encoding Standard.
//!
//! Each line of standard input is a request: the name of an encoding or the path of a table (`./my.ucm`), a tab, and
//! what to decode. The answer starts with `= NAME BYTES BYTES`: the canonical name and the lengths of the two parts
//! that follow. If the encoding is unknown, the answer is `?`, followed by the fault if a table is invalid.
//!
//! * Decoded: `8140 3000`, the bytes and the code points (joined by `+` if there are several).
//! * Encoded: `3000 8140`, for each scalar value of planes 0 to 2, and for each decoded text of several code points.
//!
//! What to decode:
//!
//! * nothing: no table, only the canonical name;
//! * `-`: all sequences; a sequence is extended by a byte wherever it is incomplete;
//! * `0E` (hexadecimal): the same, after these bytes, which are printed as part of the sequence;
//! * `pairs`: all pairs of bytes, which shows what composes;
//! * `own`, only by itself: what the encoder wrote;
//! * `=3042+41` and `:82A041`: encode exactly this text, decode exactly these bytes, and nothing else.
//!
//! Separate several with commas. The last kind combines only with itself, and the others only with each other.
//!
//! ```text
//! $ printf 'CP932\t-\n' | cargo run --example charset_table | head -3
//! = CP932 101438 85230
//! 00 0
//! 01 1
//! ```

#[cfg(feature = "detection")]
mod encoding_standard;
mod ours;

use std::collections::HashSet;
use std::fmt::Write as _;
use std::io::{self, BufRead as _, Write as _};

/// The length of the longest byte sequence.
const LONGEST: usize = 4;
/// The length of the longest byte sequence after a shift.
const LONGEST_SHIFTED: usize = 2;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let find: fn(&str) -> Result<Box<dyn Codec>, String> = match std::env::args().nth(1).as_deref()
    {
        None => ours::find,
        #[cfg(feature = "detection")]
        Some("encoding_rs") => encoding_standard::find,
        Some(other) => return Err(format!("{other} is not one whose encodings are known").into()),
    };
    let mut output = io::stdout().lock();
    for request in io::stdin().lock().lines() {
        let request = request?;
        let (name, ways) = request.split_once('\t').unwrap_or((&request, ""));
        let codec = match find(name) {
            Ok(codec) => codec,
            Err(why) => {
                writeln!(output, "{}", format!("? {why}").trim_end())?;
                continue;
            }
        };
        let mut table = Table::new(codec);
        if !ways.is_empty() {
            table.fill(ways)?;
        }
        let Table { codec, read, written, .. } = table;
        writeln!(output, "= {} {} {}", codec.name(), read.len(), written.len())?;
        output.write_all(read.as_bytes())?;
        output.write_all(written.as_bytes())?;
        output.flush()?;
    }
    Ok(())
}

/// What a byte sequence decodes to.
enum Decoded {
    Text(String),
    /// More bytes could complete it.
    Incomplete,
    /// It is ill-formed, or it only changes the state.
    Nothing,
}

/// One implementation's version of an encoding.
trait Codec {
    fn name(&self) -> &str;

    fn decode(&self, bytes: &[u8]) -> Decoded;

    /// Decodes `start` followed by each byte value. Returns the last bytes that complete a sequence, with its text.
    ///
    /// `start` begins in the initial state.
    fn decode_next(&self, start: &[u8]) -> Vec<(u8, String)> {
        let decode = |byte| match self.decode(&[start, &[byte]].concat()) {
            Decoded::Text(text) => Some((byte, text)),
            Decoded::Incomplete | Decoded::Nothing => None,
        };
        (0..=0xFF).filter_map(decode).collect()
    }

    /// Returns `None` for a text with an unmappable character.
    fn encode(&self, text: &str) -> Option<Vec<u8>>;

    /// Returns whether no character of a text can be encoded.
    ///
    /// This only saves time, so an implementation without a quick answer returns `false`.
    fn has_none_of(&self, _: &str) -> bool {
        false
    }
}

/// What an encoding decodes and encodes, as lines of the answer.
struct Table {
    codec: Box<dyn Codec>,
    read: String,
    written: String,
    /// The decoded texts of several code points, which are encoded last.
    sequences: Vec<String>,
    known: HashSet<String>,
}

impl Table {
    fn new(codec: Box<dyn Codec>) -> Self {
        let (read, written) = (String::new(), String::new());
        Self { codec, read, written, sequences: Vec::new(), known: HashSet::new() }
    }

    fn fill(&mut self, ways: &str) -> Result<(), Box<dyn std::error::Error>> {
        for way in ways.split(',').filter(|way| *way != "own") {
            if let Some(text) = way.strip_prefix('=') {
                self.add_written(&text_of(text)?);
            } else if let Some(bytes) = way.strip_prefix(':') {
                self.add_read(&unhex(bytes)?);
            } else if way == "pairs" {
                self.read_pairs();
            } else {
                let mut shift = unhex(way)?;
                let (most, stateless) =
                    if shift.is_empty() { (LONGEST, true) } else { (LONGEST_SHIFTED, false) };
                self.read_after(&mut shift, most, stateless);
            }
        }
        if ways.starts_with(['=', ':']) {
            return Ok(());
        }
        self.write_all();
        if ways == "own" {
            let written = std::mem::take(&mut self.written);
            for line in written.lines() {
                let (_, bytes) = line.split_once(' ').expect("two words");
                self.add_read(&unhex(bytes)?);
            }
            self.written = written;
        }
        Ok(())
    }

    /// Decodes all sequences that extend `bytes` by up to `most` bytes. Only incomplete ones are extended further.
    fn read_after(&mut self, bytes: &mut Vec<u8>, most: usize, stateless: bool) {
        for byte in 0..=0xFF {
            bytes.push(byte);
            if matches!(self.add_read(bytes), Decoded::Incomplete) {
                match most - 1 {
                    0 => {}
                    1 if stateless => {
                        for (last, text) in self.codec.decode_next(bytes) {
                            self.add_text(&[bytes, &[last][..]].concat(), &text);
                        }
                    }
                    more => self.read_after(bytes, more, stateless),
                }
            }
            bytes.pop();
        }
    }

    fn read_pairs(&mut self) {
        for first in 0..=0xFF {
            for second in 0..=0xFF {
                self.add_read(&[first, second]);
            }
        }
        self.sequences.clear();
    }

    fn add_read(&mut self, bytes: &[u8]) -> Decoded {
        let decoded = self.codec.decode(bytes);
        if let Decoded::Text(text) = &decoded {
            self.add_text(bytes, text);
        }
        decoded
    }

    fn add_text(&mut self, bytes: &[u8], text: &str) {
        add_line(&mut self.read, &hex(bytes), &code_points(text));
        if text.chars().nth(1).is_some() && self.known.insert(text.to_owned()) {
            self.sequences.push(text.to_owned());
        }
    }

    /// Encodes every scalar value of planes 0 to 2.
    ///
    /// Most charsets have few of them, so it first tries each block of 256 as a whole.
    fn write_all(&mut self) {
        for block in (0..0x3_0000_u32).step_by(0x100) {
            let characters: String = (block..block + 0x100).filter_map(char::from_u32).collect();
            if self.codec.has_none_of(&characters) {
                continue;
            }
            for character in characters.chars() {
                self.add_written(character.encode_utf8(&mut [0; 4]));
            }
        }
        for text in std::mem::take(&mut self.sequences) {
            self.add_written(&text);
        }
    }

    fn add_written(&mut self, text: &str) {
        if let Some(bytes) = self.codec.encode(text)
            && !bytes.is_empty()
        {
            add_line(&mut self.written, &code_points(text), &hex(&bytes));
        }
    }
}

fn add_line(lines: &mut String, left: &str, right: &str) {
    lines.push_str(left);
    lines.push(' ');
    lines.push_str(right);
    lines.push('\n');
}

fn hex(bytes: &[u8]) -> String {
    let mut digits = String::new();
    for byte in bytes {
        write!(digits, "{byte:02X}").expect("memory is written");
    }
    digits
}

fn code_points(text: &str) -> String {
    let mut digits = String::new();
    for character in text.chars() {
        let plus = if digits.is_empty() { "" } else { "+" };
        write!(digits, "{plus}{:X}", u32::from(character)).expect("memory is written");
    }
    digits
}

fn text_of(code_points: &str) -> Result<String, Box<dyn std::error::Error>> {
    let character = |digits| -> Result<char, Box<dyn std::error::Error>> {
        Ok(char::try_from(u32::from_str_radix(digits, 16)?)?)
    };
    code_points.split('+').map(character).collect()
}

/// Decodes hexadecimal digits. `-` is half a pair, so it yields no bytes.
fn unhex(digits: &str) -> Result<Vec<u8>, std::num::ParseIntError> {
    (0..digits.len() / 2).map(|at| u8::from_str_radix(&digits[at * 2..at * 2 + 2], 16)).collect()
}
