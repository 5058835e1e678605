//! Options that name the encodings of input and output.

use clap::Args;

use oxiconv_encodings::codec::{ByteOrder, EbcdicNewline};
use oxiconv_encodings::encoding::Encoding;
use oxiconv_transcode::InputEncoding;

use super::encoding_name::{Named, input_encoding, output_encoding};
use super::value_parsers::{Keyword, keyword, one_of};

#[derive(Debug, Default, Args)]
#[group(skip)]
#[command(next_help_heading = "Convert")]
pub(crate) struct EncodingArgs {
    /// Input encoding; auto detects it, auto-lines detects it for each line [default: utf-8]
    ///
    /// --list shows all names; case, hyphens and underscores do not matter. A path such as ./my.ucm loads your own table, a
    /// charmap or a UCM file. auto-lines is for logs with mixed encodings: it reads each line that is not UTF-8 in the
    /// encoding that fits the line and the lines before it. --from-code is the same option.
    #[arg(short, long, alias = "from-code", value_name = "ENC", value_parser = input_encoding)]
    pub(crate) from: Option<Named<InputEncoding>>,

    /// Output encoding [default: utf-8]
    ///
    /// As in iconv, either encoding accepts a suffix: //TRANSLIT writes similar text for unmappable characters, and
    /// //IGNORE leaves out what cannot be converted. --to-code is the same option.
    #[arg(short, long, alias = "to-code", value_name = "ENC", value_parser = output_encoding)]
    pub(crate) to: Option<Named<&'static Encoding>>,

    /// Byte order of UTF-16, UTF-32, UCS-2 and UCS-4 input that has no byte order mark
    #[arg(long, value_name = "ORDER", value_parser = one_of(BYTE_ORDERS), default_value = "be")]
    pub(crate) endian: ByteOrder,

    /// What byte 15 (hexadecimal) means in EBCDIC [default: what the encoding's table says]
    ///
    /// Byte 25 gets the other meaning.
    #[arg(long, value_name = "END", value_parser = one_of(EBCDIC_NEWLINES))]
    pub(crate) ebcdic_newline: Option<EbcdicNewline>,
}

const BYTE_ORDERS: [Keyword<ByteOrder>; 2] = [
    keyword("be", ByteOrder::Big, "Most significant byte first"),
    keyword("le", ByteOrder::Little, "Least significant byte first"),
];

const EBCDIC_NEWLINES: [Keyword<EbcdicNewline>; 2] = [
    keyword("lf", EbcdicNewline::LineFeed, "Byte 15 is LF, as in z/OS Unix"),
    keyword("nel", EbcdicNewline::NextLine, "Byte 15 is NEL, as in IBM's tables"),
];
