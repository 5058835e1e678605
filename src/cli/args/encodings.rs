//! From which encoding to which.

use clap::Args;

use oxiconv_encodings::codec::{ByteOrder, EbcdicNewline};
use oxiconv_encodings::encoding::Encoding;
use oxiconv_transcode::InputEncoding;

use super::encoding_name::{Named, input_encoding, output_encoding};
use super::word::{Word, one_of, word};

#[derive(Debug, Default, Args)]
#[group(skip)]
#[command(next_help_heading = "Conversion")]
pub(crate) struct EncodingArgs {
    /// Input encoding; auto detects it, auto-lines that of each line [default: utf-8]
    ///
    /// --list shows all names; case, hyphens and underscores do not matter. A path such as ./my.ucm names a table of your own: a charmap or a UCM file. --from-code is the same option. auto-lines is for logs: a line that is not UTF-8 is read in the encoding that its letters and the lines before it tell.
    #[arg(short, long, alias = "from-code", value_name = "ENC", value_parser = input_encoding)]
    pub(crate) from: Option<Named<InputEncoding>>,

    /// Output encoding [default: utf-8]
    ///
    /// As in iconv, either encoding may be followed by //TRANSLIT, to write similar text for unmappable characters, or
    /// by //IGNORE, to leave out what cannot be converted. --to-code is the same option.
    #[arg(short, long, alias = "to-code", value_name = "ENC", value_parser = output_encoding)]
    pub(crate) to: Option<Named<&'static Encoding>>,

    /// Byte order of UTF-16 and UTF-32 input without a byte order mark
    #[arg(long, value_name = "ORDER", value_parser = one_of(BYTE_ORDERS), default_value = "be")]
    pub(crate) endian: ByteOrder,

    /// Meaning of byte 15 in EBCDIC [default: as in the encoding's table]
    ///
    /// Byte 25 has the other meaning.
    #[arg(long, value_name = "END", value_parser = one_of(EBCDIC_NEWLINES))]
    pub(crate) ebcdic_newline: Option<EbcdicNewline>,
}

const BYTE_ORDERS: [Word<ByteOrder>; 2] = [
    word("be", ByteOrder::Big, "Most significant byte first"),
    word("le", ByteOrder::Little, "Least significant byte first"),
];

const EBCDIC_NEWLINES: [Word<EbcdicNewline>; 2] = [
    word("lf", EbcdicNewline::LineFeed, "Byte 15 is LF, as in z/OS Unix"),
    word("nel", EbcdicNewline::NextLine, "Byte 15 is NEL, as in IBM's tables"),
];
