//! What a text as a whole is: counts over all of its bytes, in one pass and bounded memory.
//!
//! Bytes are looked at in blocks of a fixed size, so that nothing depends on how they came.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::Encoding;

use super::form::Form;
use super::stray::{Bytes, Stray};
use super::twice::Twice;
use super::zeros::Zeros;
use super::{Cause, Guess, Repair};

/// Bytes looked at in one go.
const BLOCK: usize = 64 * 1024;
/// Bytes at the end of a block that may belong to what goes on in the next: a stretch of text that is not ASCII.
const CARRY: usize = 8 * 1024;
/// Bytes of the longest form.
pub(super) const LONGEST_FORM: usize = 12;
/// Buffers have lengths that are multiples of this.
pub(super) const BUFFER: u64 = 512;

/// Watches a text go by.
pub struct Judge {
    block: Vec<u8>,
    /// Bytes before the block.
    offset: u64,
    line: u64,
    encoding: &'static str,
    zeros: Zeros,
    all: EncodingDetector,
    /// All but the well-formed UTF-8 beyond ASCII.
    strays: EncodingDetector,
    counts: Counts,
    twice: Twice,
    java: Option<JavaString>,
}

/// What was seen of UTF-8, and of what is ill-formed in it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    /// Characters of more than one byte, and of four.
    pub(super) multi: u64,
    four: u64,
    /// Ill-formed bytes.
    ill_formed: u64,
    pairs: u64,
    surrogates: u64,
    java_nuls: u64,
    overlong: u64,
    long: u64,
    /// Continuation bytes before anything else.
    tail: u64,
    tail_set: Bytes,
    /// Bytes by themselves.
    bytes: u64,
    byte_set: Bytes,
    /// The offset behind the last one.
    bytes_end: u64,
    /// Those of the other forms, which might be such of another encoding too.
    special_set: Bytes,
    /// Starts of characters: amid the text, and where a buffer may have ended.
    cut: u64,
    cut_set: Bytes,
    /// The offset behind the last one amid the text, and its bytes.
    last_cut: (u64, [u8; 3]),
    cut_by_buffer: u64,
    /// So many bytes of one at the end, and which.
    cut_at_end: Option<usize>,
    end_set: Bytes,
}

/// The head of a string in the form of Java's DataOutput.
#[derive(Clone, Copy, Debug)]
struct JavaString {
    /// Bytes of the head, and of the string.
    head: u64,
    len: u64,
    in_stream: bool,
}

impl Default for Judge {
    fn default() -> Self {
        Self {
            block: Vec::new(),
            offset: 0,
            line: 1,
            encoding: "",
            zeros: Zeros::default(),
            all: EncodingDetector::new(Iso2022JpDetection::Allow),
            strays: EncodingDetector::new(Iso2022JpDetection::Deny),
            counts: Counts::default(),
            twice: Twice::default(),
            java: None,
        }
    }
}

impl Judge {
    /// Looks at the next bytes of the text, which is read in `encoding`.
    pub fn look(&mut self, mut bytes: &[u8], encoding: &'static str) {
        self.encoding = encoding;
        while !bytes.is_empty() {
            let (now, later) = bytes.split_at(bytes.len().min(BLOCK - self.block.len()));
            self.block.extend_from_slice(now);
            bytes = later;
            if self.block.len() == BLOCK {
                self.look_at_block(false);
            }
        }
    }

    /// What it comes to, by what was seen so far; `end` says that this is the whole text.
    pub fn verdict(&mut self, end: bool) -> Verdict {
        self.look_at_block(end);
        let counts = self.counts;
        let ill_formed = counts.ill_formed > 0;
        let whole = self.wide().or_else(|| self.utf8()).or_else(|| self.java_string());
        let whole = whole.or_else(|| self.legacy());
        let stray = if self.is_utf8() {
            let bytes = counts.strays();
            Stray::of(self.strays.guess(None, Utf8Detection::Deny), bytes)
        } else {
            None
        };
        let note = (self.is_utf8() && !ill_formed).then(|| self.twice()).flatten();
        let mut verdict = Verdict { whole, note, stray, counts, repair: None };
        verdict.repair = match &verdict.whole {
            Some(whole) => whole.repair.clone(),
            None if self.is_utf8() => counts.repair(verdict.stray, self.zeros.count() > 0),
            None => None,
        };
        verdict
    }

    fn is_utf8(&self) -> bool {
        self.encoding == "UTF-8"
    }

    /// Goes past what is decided in the block; at the end, past all.
    fn look_at_block(&mut self, end: bool) {
        let block = std::mem::take(&mut self.block);
        if self.offset == 0 {
            self.java = JavaString::at(&block);
        }
        // What a block leaves for the next one it leaves to all.
        let done = if end { block.len() } else { self.settled(&block) };
        let (bytes, rest) = block.split_at(done);
        self.zeros.look(bytes);
        self.all.feed(bytes, false);
        self.look_for_forms(bytes, end);
        self.offset += done as u64;
        self.block = rest.to_vec();
    }

    /// Bytes of a block up to the last one of ASCII, or nearly all of it where there is none for long.
    fn settled(&self, block: &[u8]) -> usize {
        let from = block.len().saturating_sub(CARRY);
        match block[from..].iter().rposition(u8::is_ascii) {
            Some(last) => from + last + 1,
            None => {
                let end = block.len().saturating_sub(LONGEST_FORM);
                end - unfinished(&block[..end])
            }
        }
    }

    fn look_for_forms(&mut self, bytes: &[u8], end: bool) {
        let mut at = 0;
        while at < bytes.len() {
            let rest = &bytes[at..];
            let (text, broken) = match std::str::from_utf8(rest) {
                Ok(text) => (text, false),
                Err(error) => {
                    let good = &rest[..error.valid_up_to()];
                    (std::str::from_utf8(good).unwrap_or_default(), true)
                }
            };
            self.look_at_text(text, at);
            at += text.len();
            if broken {
                at += self.look_at_form(&bytes[at..], at, end);
            }
        }
    }

    fn look_at_text(&mut self, text: &str, at: usize) {
        let bytes = text.as_bytes();
        self.twice.look(text, self.offset + at as u64, self.line);
        self.line += memchr::memchr_iter(b'\n', bytes).count() as u64;
        let mut from = 0;
        while from < bytes.len() {
            let ascii = Encoding::ascii_valid_up_to(&bytes[from..]);
            self.strays.feed(&bytes[from..from + ascii], false);
            from += ascii;
            let beyond = bytes[from..].iter().take_while(|byte| **byte >= 0x80);
            for byte in beyond {
                self.counts.multi += u64::from(*byte >= 0xC0);
                self.counts.four += u64::from(*byte >= 0xF0);
                from += 1;
            }
        }
    }

    /// Counts what is ill-formed at the start of `bytes`, and returns its length.
    fn look_at_form(&mut self, bytes: &[u8], at: usize, end: bool) -> usize {
        let mut form = Form::at(&bytes[..bytes.len().min(LONGEST_FORM)]);
        if let Form::Cut { has, of, at_end } = form {
            // Only the end of the text is the end, and no other cut is one where nothing was cut off.
            let at_end = at_end && end && has == bytes.len();
            form = if at_end || has > 1 { Form::Cut { has, of, at_end } } else { Form::Byte };
        }
        let offset = self.offset + at as u64;
        let len = form.len();
        let counts = &mut self.counts;
        counts.ill_formed += len as u64;
        match form {
            Form::Pair(_) => counts.pairs += 1,
            Form::Surrogate(_) => counts.surrogates += 1,
            Form::JavaNul => counts.java_nuls += 1,
            Form::Overlong { .. } => counts.overlong += 1,
            Form::Long { .. } => counts.long += 1,
            Form::Cut { at_end: true, .. } => {
                counts.cut_at_end = Some(len);
                counts.end_set.insert(&bytes[..len]);
            }
            Form::Cut { .. } if (offset + len as u64).is_multiple_of(BUFFER) => {
                counts.cut_by_buffer += 1;
            }
            // Beside a byte by itself it is more of such bytes.
            Form::Cut { .. } if offset == counts.bytes_end => {
                counts.take_bytes(&bytes[..len], offset)
            }
            Form::Cut { .. } => {
                counts.cut += 1;
                counts.cut_set.insert(&bytes[..len]);
                counts.last_cut = (offset + len as u64, [bytes[0], bytes[1], bytes[len - 1]]);
            }
            Form::Byte if offset == counts.tail && offset < 3 && bytes[0] & 0xC0 == 0x80 => {
                counts.tail += 1;
                counts.tail_set.insert(&bytes[..1]);
            }
            Form::Byte => {
                let (end, cut) = counts.last_cut;
                if end == offset && counts.cut > 0 {
                    counts.cut -= 1;
                    counts.byte_set.insert(&cut);
                }
                counts.take_bytes(&bytes[..1], offset);
            }
        }
        if !matches!(form, Form::Byte | Form::Cut { .. }) {
            counts.special_set.insert(&bytes[..len]);
        }
        self.strays.feed(&bytes[..len], false);
        len
    }

    fn wide(&self) -> Option<Guess> {
        let mark = self.zeros.by_mark();
        let (name, option, evidence) = match (mark, self.zeros.by_zeros()) {
            (Some((name, option, bytes)), _) => {
                (name, option, format!("the text begins with its byte order mark, {bytes}"))
            }
            (None, Some(name)) => {
                (name, name, "its zero bytes stand where those of ASCII would".to_owned())
            }
            (None, None) => return None,
        };
        // What is read in the right byte order, be it without its mark, is read rightly.
        if name == self.encoding || self.encoding.starts_with("UCS") {
            return None;
        }
        let wide = ["UTF-16", "UTF-32", "WTF-16"].iter().any(|kin| self.encoding.starts_with(kin));
        let order = if name.ends_with("LE") { "little-endian" } else { "big-endian" };
        let what = if wide && name[..6] == self.encoding[..6] {
            format!("{} in the other byte order, {order}", &name[..6])
        } else {
            format!("{}, {order}", &name[..6])
        };
        let repair = Some(Repair::new(&["-f", &option.to_lowercase()]));
        Some(Guess { cause: Cause::WideUnits, what, evidence, characters: Vec::new(), repair })
    }

    /// UTF-8 that is read as something else.
    fn utf8(&self) -> Option<Guess> {
        let wide =
            ["UTF-16", "UTF-32", "UCS", "WTF-16"].iter().any(|kin| self.encoding.starts_with(kin));
        let Counts { ill_formed, multi, .. } = self.counts;
        // Text of some length in wide units has zero bytes, and is no well-formed UTF-8 without them.
        let is = if wide { self.offset >= 8 && self.zeros.count() == 0 } else { multi > 0 };
        (is && ill_formed == 0 && !self.is_utf8()).then(|| Guess {
            cause: Cause::Utf8,
            what: "UTF-8".to_owned(),
            evidence: format!(
                "the whole text is well-formed UTF-8, with {} of more than one byte{}",
                counted(multi, "character"),
                if wide { ", and no zero byte" } else { "" }
            ),
            characters: Vec::new(),
            repair: Some(Repair::new(&["-f", "utf-8"])),
        })
    }

    fn java_string(&self) -> Option<Guess> {
        let java = self.java.filter(|_| self.is_utf8())?;
        let Counts { pairs, java_nuls, four, .. } = self.counts;
        let all = self.offset;
        let fits = all == java.head + java.len;
        // Two bytes that happen to be the length prove little by themselves.
        if !fits || four > 0 || !java.in_stream && pairs + java_nuls == 0 {
            return None;
        }
        let stream = if java.in_stream {
            "AC ED 00 05, the mark of a stream of Java objects, and "
        } else {
            ""
        };
        Some(Guess {
            cause: Cause::JavaString,
            what: "a string that Java wrote, in MUTF-8 behind its length".to_owned(),
            evidence: format!(
                "the text begins with {stream}the number of the bytes behind it, {}",
                java.len
            ),
            characters: Vec::new(),
            repair: Some(Repair { skip: java.head, ..Repair::new(&["-f", "mutf-8"]) }),
        })
    }

    /// A text in an encoding older than Unicode.
    fn legacy(&self) -> Option<Guess> {
        let Counts { multi, ill_formed, bytes, cut, .. } = self.counts;
        let guess = self.all.guess(None, Utf8Detection::Deny);
        let multi_byte = !guess.is_single_byte();
        let name = match guess.name() {
            "Shift_JIS" => "CP932",
            "EUC-KR" => "CP949",
            "Big5" => "BIG5",
            "GBK" | "gb18030" => "GB18030",
            "ISO-8859-8-I" => "ISO-8859-8",
            name => name,
        };
        let known = matches!(self.encoding, "UTF-8" | "US-ASCII") || multi_byte;
        let plain = self.is_utf8() || self.encoding == "US-ASCII";
        // Bytes that are well-formed by chance, or of a special form, are few against those that are not. A few bytes
        // prove nothing.
        let foreign = match multi_byte {
            true => multi < ill_formed && ill_formed >= 6 && self.counts.special() + cut < bytes,
            false => multi == 0 && bytes > 0 && self.counts.special() * 20 <= bytes,
        };
        if !known || !foreign || name == self.encoding {
            return None;
        }
        let mut bytes = self.counts.strays();
        bytes.add(self.counts.special_set);
        let stray = if multi_byte { None } else { Some(Stray::of(guess, bytes)?) };
        if !plain && !multi_byte {
            return None;
        }
        let name = stray.map_or(name, Stray::name);
        let also = if stray.is_some_and(|stray| stray.like_latin1) {
            " or ISO-8859-1, which agree on its bytes"
        } else {
            ""
        };
        Some(Guess {
            cause: Cause::Legacy,
            what: format!("{}{also}", shown(name)),
            evidence: format!(
                "by the frequency of its bytes, {} in all{}",
                self.offset,
                match multi {
                    0 => ", none of them UTF-8 beyond ASCII".to_owned(),
                    _ => format!("; by chance they hold {} of UTF-8", counted(multi, "character")),
                }
            ),
            characters: Vec::new(),
            repair: Some(Repair::new(&["-f", name])),
        })
    }

    fn twice(&self) -> Option<Guess> {
        let (offset, line, stands, meant) = self.twice.first.as_ref()?;
        let repair = self.twice.taken_for().map(|name| Repair::new(&["-t", name]));
        let again = counted(self.twice.again, "place");
        Some(Guess {
            cause: Cause::Utf8Twice,
            what: "UTF-8 that was encoded twice: well-formed, yet not what was meant".to_owned(),
            evidence: format!(
                "{stands} in line {line}, at byte {offset} (0x{offset:x}), was {meant}; so it is in {again}{}",
                match self.twice.others {
                    0 => ", and nothing else is beyond ASCII".to_owned(),
                    others =>
                        format!(", and not in {others} more, so that no one command repairs it"),
                }
            ),
            characters: Vec::new(),
            repair,
        })
    }
}

/// Bytes of a form at the end of `bytes` that may go on behind it: from the last byte that continues none, and from the
/// first half of a surrogate pair.
fn unfinished(bytes: &[u8]) -> usize {
    let len = |bytes: &[u8]| {
        let back = bytes.iter().rev().take(6).take_while(|byte| **byte & 0xC0 == 0x80).count();
        bytes.len().min(back + 1)
    };
    let last = len(bytes);
    let before = &bytes[..bytes.len() - last];
    match bytes[bytes.len() - last..] {
        [0xED, ..] if len(before) == 3 => last + 3,
        _ => last,
    }
}

/// The name that people know.
fn shown(name: &str) -> &str {
    match name {
        "CP932" => "Shift_JIS (as Windows has it, CP932)",
        "CP949" => "EUC-KR (as Windows has it, CP949)",
        "BIG5" => "Big5",
        name => name,
    }
}

fn counted(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

impl JavaString {
    fn at(start: &[u8]) -> Option<Self> {
        let (head, len, in_stream) = match *start {
            [0xAC, 0xED, 0, 5, 0x74, high, low, ..] => (7, [high, low], true),
            [high, low, ..] => (2, [high, low], false),
            _ => return None,
        };
        Some(Self { head, len: u16::from_be_bytes(len).into(), in_stream })
    }
}

impl Counts {
    /// Whether starts of characters are single bytes rather: then others are too, and nothing is UTF-8.
    pub(super) const fn cut_is_bytes(&self) -> bool {
        self.bytes > 0 && self.multi == 0
    }

    fn take_bytes(&mut self, bytes: &[u8], offset: u64) {
        self.bytes += bytes.len() as u64;
        self.byte_set.insert(bytes);
        self.bytes_end = offset + bytes.len() as u64;
    }

    /// The same, of what may be the end of a character at the start of the text.
    const fn tail_is_bytes(&self) -> bool {
        self.bytes > 0 || self.multi == 0
    }

    /// Whether the byte at `offset` is of a character whose start is missing.
    pub(super) const fn is_tail(&self, offset: u64) -> bool {
        offset < self.tail && !self.tail_is_bytes()
    }

    /// The same, of one at the very end of the text, of which there are `has` bytes.
    pub(super) const fn end_is_bytes(&self, has: usize) -> bool {
        match has {
            1 => self.bytes > 0 || self.multi == 0,
            _ => self.bytes > 0 && self.multi == 0,
        }
    }

    /// What is no matter of single bytes.
    const fn special(&self) -> u64 {
        self.pairs + self.surrogates + self.java_nuls + self.overlong + self.long
    }

    fn strays(&self) -> Bytes {
        let mut bytes = self.byte_set;
        if self.cut_is_bytes() {
            bytes.add(self.cut_set);
        }
        if self.tail_is_bytes() {
            bytes.add(self.tail_set);
        }
        if self.cut_at_end.is_some_and(|has| self.end_is_bytes(has)) {
            bytes.add(self.end_set);
        }
        bytes
    }

    /// What repairs the whole text, where one command does.
    fn repair(&self, stray: Option<Stray>, nuls: bool) -> Option<Repair> {
        let cut_is_bytes = self.cut_is_bytes();
        let end_is_bytes = self.cut_at_end.is_some_and(|has| self.end_is_bytes(has));
        let tail_is_bytes = self.tail > 0 && self.tail_is_bytes();
        let bytes = self.bytes > 0 || self.cut > 0 && cut_is_bytes || end_is_bytes || tail_is_bytes;
        let cut = self.tail > 0 && !tail_is_bytes
            || self.cut_by_buffer > 0
            || self.cut > 0 && !cut_is_bytes
            || self.cut_at_end.is_some() && !end_is_bytes;
        let (pairs, surrogates) = (self.pairs > 0, self.surrogates > 0);
        let (java, long, four) = (self.java_nuls > 0, self.long > 0, self.four > 0);
        let fallback = || stray.filter(|stray| stray.may_be_fallback());
        let replaced = "U+FFFD stands for each surrogate without its other half";
        match (bytes, cut, pairs, surrogates, java, self.overlong > 0, long) {
            (true, false, false, false, false, false, false) => {
                Some(Repair::new(&["--fallback", fallback()?.name()]))
            }
            (bytes, false, pairs, false, java, false, false) if !four && (!java || !nuls) => {
                let name = if java { "mutf-8" } else { "cesu-8" };
                let from = ["-f", name];
                match (pairs || java, bytes) {
                    (false, _) => None,
                    (true, false) => Some(Repair::new(&from)),
                    (true, true) => {
                        Some(Repair::new(&["-f", name, "--fallback", fallback()?.name()]))
                    }
                }
            }
            (false, false, true, false, false, false, false) => {
                Some(Repair::new(&["-f", "generalized-utf-8", "-t", "wtf-8"]))
            }
            (false, false, false, true, false, false, false) => {
                Some(Repair::new(&["-f", "wtf-8", "--unmappable", "replace"]).losing(replaced))
            }
            (false, false, true, true, _, false, false) | (false, false, false, true, true, false, false)
                if !four && !nuls =>
            {
                Some(Repair::new(&["-f", "mutf-8", "--unmappable", "replace"]).losing(replaced))
            }
            (false, false, false, false, false, false, true) => {
                Some(Repair::new(&["-f", "utf-8-rfc2279", "--unmappable", "escape"]).losing(
                    "no character has such a value: it is written as \\u{...}",
                ))
            }
            (false, true, false, false, false, false, false) => {
                Some(Repair::new(&["-c"]).losing("what is left of the character is left out, so the status is 1"))
            }
            (false, false, false, false, false, true, false) => {
                Some(Repair::new(&["-e", "replace"]).losing(
                    "no command brings the character back, for overlong forms serve to get past checks: U+FFFD stands for each byte",
                ))
            }
            _ => None,
        }
    }
}

impl Verdict {
    /// Whether what is ill-formed is of several causes, so that no one command repairs the text.
    pub fn is_of_several(&self) -> bool {
        self.whole.is_none() && self.repair.is_none() && self.counts.ill_formed > 0
    }

    /// The encoding as which the frequency of ill-formed bytes speaks for them, by its name.
    pub fn strays_as(&self) -> Option<&'static str> {
        self.stray.map(Stray::name)
    }

    /// Whether each byte of the whole text can be named although it is another one.
    pub fn names_bytes(&self) -> bool {
        let legacy = self.whole.as_ref().filter(|whole| whole.cause == Cause::Legacy);
        let options = legacy.and_then(|whole| whole.repair.as_ref()).map(|repair| &repair.options);
        let (Some(options), Some(stray)) = (options, self.stray) else { return false };
        options.iter().any(|word| word == stray.name())
    }
}

/// What a text as a whole comes to.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// What all of it is, where that is the trouble.
    pub whole: Option<Guess>,
    /// What is to be said of it although nothing is ill-formed.
    pub note: Option<Guess>,
    /// What repairs the whole text, where one command does.
    pub repair: Option<Repair>,
    pub(super) stray: Option<Stray>,
    pub(super) counts: Counts,
}
