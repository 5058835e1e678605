//! This library's encodings, as implementations of [`Codec`].

use std::fs::File;

use oxiconv::{
    Conversion, Encoding, Error, IllFormedKind, Kind, MarkMode, OnUnmappable, Options, Silent,
    TableError, Transcoder,
};
use oxiconv_encodings::codec::{ByteOrder, DecodeStop, MIN_PIVOT};

use crate::{Codec, Decoded};

/// Finds an encoding by its name, or reads it from the table at a path. The error says what is wrong with the table,
/// and is empty for an unknown name.
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

/// An encoding with one conversion for each question that [`Codec`] asks.
struct Conversions {
    encoding: &'static Encoding,
    decoding: Conversion,
    encoding_strictly: Conversion,
    skipping: Conversion,
}

impl Conversions {
    fn new(encoding: &'static Encoding) -> Result<Self, Error> {
        let options = || Options::new().marks(MarkMode::Keep);
        Ok(Self {
            encoding,
            // Without `MarkMode::Keep`: a byte order mark at the start is not part of the text.
            decoding: Options::new().build(encoding, Encoding::UTF_8)?,
            encoding_strictly: options().build(Encoding::UTF_8, encoding)?,
            skipping: options()
                .on_unmappable(OnUnmappable::Skip)
                .build(Encoding::UTF_8, encoding)?,
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

    /// Calls the decoder directly. There are too many 4-byte codes to set up a [`Transcoder`] for each.
    fn decode_next(&self, start: &[u8]) -> Vec<(u8, String)> {
        let mut bytes = [start, &[0]].concat();
        let mut read = |byte| {
            *bytes.last_mut().expect("one was added") = byte;
            let mut characters = [0; MIN_PIVOT];
            let mut decoder = self.encoding.new_decoder(ByteOrder::Big);
            let done = decoder.decode(&bytes, &mut characters, true);
            if done.stop != DecodeStop::InputEmpty || done.written == 0 {
                return None;
            }
            let text: Option<String> =
                characters[..done.written].iter().map(|cp| char::from_u32(*cp)).collect();
            Some((byte, text?))
        };
        (0..=0xFF).filter_map(&mut read).collect()
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
