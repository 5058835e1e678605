//! The encodings of this library.

use std::fs::File;

use oxiconv::{
    Conversion, Encoding, Error, IllFormedKind, Kind, MarkMode, OnIllFormed, OnUnmappable, Options,
    Silent, TableError, Transcoder,
};

use crate::{Codec, Decoded, LONGEST};

/// What stands for a fault where faults do not stop. No code of four bytes is read as it.
const FAULT: char = '\u{1}';

/// Returns the encoding of a name or of a table's path, or what is wrong with the table.
pub fn find(name: &str) -> Result<Box<dyn Codec>, String> {
    let encoding = match Encoding::for_name(name) {
        Ok(encoding) => encoding,
        Err(_) if name.contains('/') => File::open(name)
            .map_err(TableError::from)
            .and_then(|file| Encoding::from_table(name, file))
            .map_err(|error| error.to_string())?,
        Err(_) => return Err(String::new()),
    };
    Ok(Box::new(Conversions::new(encoding).map_err(|error| error.to_string())?))
}

/// The ways in which an encoding is tried.
struct Conversions {
    encoding: &'static Encoding,
    decoding: Conversion,
    marking: Conversion,
    encoding_strictly: Conversion,
    skipping: Conversion,
    line_end: Vec<u8>,
}

impl Conversions {
    fn new(encoding: &'static Encoding) -> Result<Self, Error> {
        let options = || Options::new().marks(MarkMode::Keep);
        Ok(Self {
            encoding,
            // A mark at the start is no part of the text.
            decoding: Options::new().build(encoding, Encoding::UTF_8)?,
            marking: options()
                .on_ill_formed(OnIllFormed::Replace)
                .on_unmappable(OnUnmappable::Replace)
                .replacement(FAULT.to_string())
                .build(encoding, Encoding::UTF_8)?,
            encoding_strictly: options().build(Encoding::UTF_8, encoding)?,
            skipping: options()
                .on_unmappable(OnUnmappable::Skip)
                .build(Encoding::UTF_8, encoding)?,
            line_end: oxiconv::encode("\n", encoding).unwrap_or_default().into_owned(),
        })
    }
}

impl Codec for Conversions {
    fn name(&self) -> &str {
        self.encoding.name()
    }

    fn decode(&self, mut bytes: &[u8]) -> Decoded {
        let mut output = Vec::new();
        let mut transcoder = Transcoder::new(&self.decoding, &mut output);
        match transcoder.input(&mut bytes, &mut Silent).and_then(|_| transcoder.finish()) {
            Ok(()) if output.is_empty() => Decoded::Nothing,
            Ok(()) => Decoded::Text(String::from_utf8(output).expect("UTF-8 is well-formed")),
            Err(Error::Stopped(stopped))
                if stopped.finding.kind == Kind::IllFormed(IllFormedKind::TruncatedAtEnd) =>
            {
                Decoded::Incomplete
            }
            Err(_) => Decoded::Nothing,
        }
    }

    /// All 256 at once, each on a line, because 4-byte codes are many.
    fn decode_next(&self, start: &[u8]) -> Vec<(u8, String)> {
        let mut lines = Vec::new();
        for byte in 0..=0xFF {
            lines.extend_from_slice(start);
            lines.push(byte);
            (0..LONGEST).for_each(|_| lines.extend_from_slice(&self.line_end));
        }
        let text = run(&self.marking, &lines).expect("faults are marked");
        let text = String::from_utf8(text).expect("UTF-8 is well-formed");
        let mut lines = text.split('\n').peekable();
        let mut decoded = Vec::new();
        for byte in 0..=0xFF {
            let line = lines.next().expect("a line end after each");
            let mut ends = 1;
            while lines.next_if(|line| line.is_empty()).is_some() {
                ends += 1;
            }
            // A fault may take some of the line ends, but not all of them.
            if ends == LONGEST && !line.is_empty() && !line.contains(FAULT) {
                decoded.push((byte, line.to_owned()));
            }
        }
        decoded
    }

    fn encode(&self, text: &str) -> Option<Vec<u8>> {
        run(&self.encoding_strictly, text.as_bytes())
    }

    fn has_none_of(&self, text: &str) -> bool {
        run(&self.skipping, text.as_bytes()).is_some_and(|bytes| bytes.is_empty())
    }
}

fn run(conversion: &Conversion, mut text: &[u8]) -> Option<Vec<u8>> {
    let mut output = Vec::new();
    let mut transcoder = Transcoder::new(conversion, &mut output);
    transcoder.input(&mut text, &mut Silent).ok()?;
    transcoder.finish().ok()?;
    Some(output)
}
