//! Answers like `charset_table`, for the encodings of the Encoding Standard as the crate `encoding_rs` has them.
//!
//! ```text
//! $ printf 'gbk\t-\n' | cargo run --example web_table | head -3
//! = GBK 24067 24066
//! 00 0
//! 01 1
//! ```

use std::collections::HashSet;
use std::fmt::Write as _;
use std::io::{self, BufRead as _, Write as _};

use encoding_rs::{DecoderResult, EncoderResult, Encoding};

/// The bytes of the longest sequence.
const LONGEST: usize = 4;
/// The same after a shift.
const LONGEST_SHIFTED: usize = 2;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut output = io::stdout().lock();
    for request in io::stdin().lock().lines() {
        let request = request?;
        let (name, ways) = request.split_once('\t').unwrap_or((&request, ""));
        let Some(encoding) = Encoding::for_label(name.as_bytes()) else {
            writeln!(output, "?")?;
            continue;
        };
        let mut table = Table::new(encoding);
        if !ways.is_empty() {
            table.fill(ways)?;
        }
        let Table { read, written, .. } = table;
        writeln!(output, "= {} {} {}", encoding.name(), read.len(), written.len())?;
        output.write_all(read.as_bytes())?;
        output.write_all(written.as_bytes())?;
        output.flush()?;
    }
    Ok(())
}

/// What an encoding reads and writes.
struct Table {
    encoding: &'static Encoding,
    read: String,
    written: String,
    /// What several code points were read as.
    sequences: Vec<String>,
    known: HashSet<String>,
}

impl Table {
    fn new(encoding: &'static Encoding) -> Self {
        let (read, written) = (String::new(), String::new());
        Self { encoding, read, written, sequences: Vec::new(), known: HashSet::new() }
    }

    fn fill(&mut self, ways: &str) -> Result<(), Box<dyn std::error::Error>> {
        for way in ways.split(',') {
            if let Some(text) = way.strip_prefix('=') {
                self.add_written(&text_of(text)?);
            } else if let Some(bytes) = way.strip_prefix(':') {
                self.add_read(&unhex(bytes)?);
            } else if way == "pairs" {
                for pair in 0..=0xFFFF_u16 {
                    self.add_read(&pair.to_be_bytes());
                }
                self.sequences.clear();
            } else {
                let mut shift = unhex(way)?;
                let most = if shift.is_empty() { LONGEST } else { LONGEST_SHIFTED };
                self.read_after(&mut shift, most);
            }
        }
        if ways.starts_with(['=', ':']) {
            return Ok(());
        }
        for cp in (0..0x3_0000).filter_map(char::from_u32) {
            self.add_written(cp.encode_utf8(&mut [0; 4]));
        }
        for text in std::mem::take(&mut self.sequences) {
            self.add_written(&text);
        }
        Ok(())
    }

    /// Decodes what is `most` bytes longer than `bytes`, or shorter if that is complete.
    fn read_after(&mut self, bytes: &mut Vec<u8>, most: usize) {
        for byte in 0..=0xFF {
            bytes.push(byte);
            if self.add_read(bytes) && most > 1 {
                self.read_after(bytes, most - 1);
            }
            bytes.pop();
        }
    }

    /// Adds what bytes are read as, if they are well-formed. Returns whether more of them could be.
    fn add_read(&mut self, bytes: &[u8]) -> bool {
        let mut decoder = self.encoding.new_decoder_without_bom_handling();
        let mut text = String::with_capacity(4 * bytes.len() + 16);
        let (result, _) = decoder.decode_to_string_without_replacement(bytes, &mut text, false);
        if result != DecoderResult::InputEmpty {
            return false;
        }
        let (end, _) = decoder.decode_to_string_without_replacement(b"", &mut text, true);
        if end != DecoderResult::InputEmpty {
            return true;
        }
        if !text.is_empty() {
            add_line(&mut self.read, &hex(bytes), &code_points(&text));
            if text.chars().nth(1).is_some() && self.known.insert(text.clone()) {
                self.sequences.push(text);
            }
        }
        false
    }

    fn add_written(&mut self, text: &str) {
        let mut bytes = Vec::with_capacity(4 * text.len() + 16);
        let mut encoder = self.encoding.new_encoder();
        let (result, _) =
            encoder.encode_from_utf8_to_vec_without_replacement(text, &mut bytes, true);
        if result == EncoderResult::InputEmpty && !bytes.is_empty() {
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
    let digits: Vec<_> = text.chars().map(|c| format!("{:X}", u32::from(c))).collect();
    digits.join("+")
}

fn text_of(code_points: &str) -> Result<String, Box<dyn std::error::Error>> {
    let character = |digits| -> Result<char, Box<dyn std::error::Error>> {
        Ok(char::try_from(u32::from_str_radix(digits, 16)?)?)
    };
    code_points.split('+').map(character).collect()
}

/// Returns no bytes for `-`.
fn unhex(digits: &str) -> Result<Vec<u8>, std::num::ParseIntError> {
    (0..digits.len() / 2).map(|at| u8::from_str_radix(&digits[at * 2..at * 2 + 2], 16)).collect()
}
