//! Options for what states the encoding within a text: byte order marks and declarations.

use clap::Args;

use oxiconv_transcode::{MarkMode, OnDeclaration};

use super::value_parsers::{Keyword, keyword, one_of};

#[derive(Debug, Default, Args)]
#[group(skip)]
#[command(next_help_heading = "Convert")]
pub(crate) struct MarkArgs {
    /// Byte order marks: auto, keep, strip, add, forbid, require [default: auto]
    #[arg(long, value_name = "MODE", value_parser = one_of(MARKS))]
    pub(crate) bom: Option<MarkMode>,

    /// What to do with an encoding declaration that the conversion makes false: note, update, keep [default: note]
    ///
    /// A declaration names the encoding in the text itself: encoding= in XML, charset= in HTML, @charset in CSS, the coding
    /// cookies of Python, Ruby, Emacs and Vim, and the headers of PO files and mails. oxiconv searches the first 4 KiB.
    #[arg(long, value_name = "MODE", value_parser = one_of(DECLARATIONS))]
    pub(crate) declaration: Option<OnDeclaration>,
}

const MARKS: [Keyword<MarkMode>; 6] = [
    keyword("auto", MarkMode::Auto, "Follow each encoding's own rule"),
    keyword("keep", MarkMode::Keep, "Keep a mark at the start of the input"),
    keyword("strip", MarkMode::Strip, "Write no mark"),
    keyword("add", MarkMode::Add, "Write exactly one mark"),
    keyword("forbid", MarkMode::Forbid, "With --check, report files that begin with a mark"),
    keyword(
        "require",
        MarkMode::Require,
        "With --check, report files that do not begin with a mark",
    ),
];

const DECLARATIONS: [Keyword<OnDeclaration>; 3] = [
    keyword("note", OnDeclaration::Note, "Keep it and say so"),
    keyword("update", OnDeclaration::Update, "Name the output encoding in it, except in a mail"),
    keyword("keep", OnDeclaration::Keep, "Keep it"),
];
