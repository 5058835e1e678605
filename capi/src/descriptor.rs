//! A conversion descriptor as C sees it: its results, its errors, and what `iconvctl` changes.
//!
//! `ExactConverter` says what happened in a call: bytes read and written, characters transliterated or left out, and
//! what stopped it. This file turns that into the one number that C gets. The rules come from three sources that do not
//! agree. POSIX defines the errors. glibc defines the suffixes, and reports a loss under `//IGNORE` as EILSEQ although
//! the input was read to its end. GNU libiconv defines `iconvctl`, and there a loss is no error.

use std::ffi::c_int;

use oxiconv_encodings::encoding::{IconvEncoding, Suffixes};
use oxiconv_transcode::transliteration::TransliterationLocale;
use oxiconv_transcode::{ExactConverter, ExactProgress, ExactStop, IconvPair};

use super::output_cursor::OutputCursor;
use super::thread_locale;

/// Bytes converted at a time, before they are copied to the caller.
const ROOM: usize = 4096;

/// The requests of `iconvctl`, with the numbers of GNU libiconv.
mod request {
    use std::ffi::c_int;

    pub(super) const TRIVIALP: c_int = 0;
    pub(super) const GET_TRANSLITERATE: c_int = 1;
    pub(super) const SET_TRANSLITERATE: c_int = 2;
    pub(super) const GET_DISCARD_ILSEQ: c_int = 3;
    pub(super) const SET_DISCARD_ILSEQ: c_int = 4;
    pub(super) const GET_DISCARD_INVALID: c_int = 11;
    pub(super) const SET_DISCARD_INVALID: c_int = 12;
    pub(super) const GET_DISCARD_NON_IDENTICAL: c_int = 13;
    pub(super) const SET_DISCARD_NON_IDENTICAL: c_int = 14;
}

/// The progress of a call in bytes, and its result: a number of characters, or an errno.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Answer {
    pub(super) read: usize,
    pub(super) written: usize,
    pub(super) result: Result<usize, c_int>,
}

impl Answer {
    /// Returns the answer of a call that fails and does nothing.
    pub(super) fn error(error: c_int) -> Self {
        Self { read: 0, written: 0, result: Err(error) }
    }
}

pub(super) struct Descriptor {
    converter: ExactConverter,
    room: Box<[u8; ROOM]>,
    /// Whether a call that leaves something out is an error. With `//IGNORE` it is, as in POSIX and glibc; if it was
    /// requested with `iconvctl` it is not, as in libiconv.
    reports_loss: bool,
}

impl Descriptor {
    /// Opens a conversion; `None` if there is none between these names.
    pub(super) fn new(to: &str, from: &str) -> Option<Self> {
        let charset = thread_locale::charset();
        // Like glibc, accepts suffixes of the source encoding and ignores them.
        let (from, _) = IconvEncoding::for_code(from, &charset).ok()?;
        let (to, suffixes) = IconvEncoding::for_code(to, &charset).ok()?;
        let pair = IconvPair { from, to, suffixes };
        let converter = ExactConverter::new(pair, rules(&pair)).ok()?;
        Some(Self { converter, room: Box::new([0; ROOM]), reports_loss: true })
    }

    pub(super) fn convert(&mut self, input: &[u8], output: OutputCursor<'_>) -> Answer {
        let mut read = 0;
        self.fill(output, |converter, room| {
            let converted = converter.convert(&input[read..], room);
            read += converted.read;
            converted
        })
    }

    pub(super) fn finish(&mut self, output: OutputCursor<'_>) -> Answer {
        self.fill(output, ExactConverter::finish)
    }

    /// Calls `step` until it has nothing more to write, or the caller's output is full. A step writes to `room`, and
    /// what it wrote is copied: see `output_cursor.rs`.
    ///
    /// A step is given no more room than the caller has, so what it writes always fits, and it stops before the first
    /// character that does not. If `room` had its full size, only `room` is known to be full, and another step may find
    /// more space in the caller's buffer. If it was shorter, it was all that the caller had left.
    fn fill(
        &mut self,
        mut output: OutputCursor<'_>,
        mut step: impl FnMut(&mut ExactConverter, &mut [u8]) -> ExactProgress,
    ) -> Answer {
        let mut all = ExactProgress::NOTHING;
        loop {
            let room = &mut self.room[..ROOM.min(output.left())];
            let done = step(&mut self.converter, room);
            output.put(&room[..done.written]);
            all.add_call(&done);
            // Only `room` is full, not necessarily the caller's buffer.
            let goes_on = done.stop == ExactStop::OutputFull && room.len() == ROOM;
            if !goes_on || done.read + done.written == 0 {
                return self.answer(all);
            }
        }
    }

    /// Drops what is not written, and returns to the initial state.
    pub(super) fn reset(&mut self) -> Answer {
        self.converter.reset();
        Answer { read: 0, written: 0, result: Ok(0) }
    }

    /// Returns what C gets for a call. A loss is reported only by a call that reads all of its input, because a call
    /// has one errno: if it stops earlier, the reason for that is what the program needs to continue.
    fn answer(&self, converted: ExactProgress) -> Answer {
        let ExactProgress { read, written, irreversible, left_out, ill_formed, stop } = converted;
        let loses = left_out + ill_formed > 0;
        let result = match stop {
            ExactStop::InputEmpty if loses && self.reports_loss => Err(libc::EILSEQ),
            // Like libiconv, does not count ill-formed bytes.
            ExactStop::InputEmpty => Ok(irreversible + left_out),
            ExactStop::Incomplete => Err(libc::EINVAL),
            ExactStop::OutputFull => Err(libc::E2BIG),
            ExactStop::IllFormed | ExactStop::Unmappable => Err(libc::EILSEQ),
        };
        Answer { read, written, result }
    }

    /// Answers a request of `iconvctl`. Of the settings, `ignore` leaves out whatever cannot be converted, `discard`
    /// only characters that the target lacks, and `discard_ill_formed` only ill-formed bytes. A change takes effect
    /// with the next call, also in the middle of a text.
    pub(super) fn control(
        &mut self,
        request: c_int,
        argument: Option<&mut c_int>,
    ) -> Result<(), c_int> {
        let value = argument.ok_or(libc::EINVAL)?;
        let mut pair = *self.converter.pair();
        let suffixes = &mut pair.suffixes;
        let (ill_formed, unmappable) =
            (suffixes.skips_ill_formed(), suffixes.ignore || suffixes.discard);
        match request {
            request::TRIVIALP => *value = self.converter.is_trivial().into(),
            request::GET_TRANSLITERATE => *value = suffixes.transliterate.into(),
            request::GET_DISCARD_ILSEQ => *value = (ill_formed && unmappable).into(),
            request::GET_DISCARD_INVALID => *value = ill_formed.into(),
            request::GET_DISCARD_NON_IDENTICAL => *value = unmappable.into(),
            request::SET_TRANSLITERATE => {
                suffixes.transliterate = *value != 0;
                self.set(pair)?;
            }
            request::SET_DISCARD_ILSEQ => {
                let transliterate = suffixes.transliterate;
                *suffixes = Suffixes { transliterate, ignore: *value != 0, ..Suffixes::default() };
                self.set(pair)?;
                self.reports_loss = false;
            }
            // `//IGNORE` means both kinds of loss at once. To change one of them, it is replaced by the two settings
            // that libiconv 1.18 has for them, and the other one keeps its present value.
            request::SET_DISCARD_INVALID | request::SET_DISCARD_NON_IDENTICAL => {
                suffixes.ignore = false;
                (suffixes.discard_ill_formed, suffixes.discard) = match request {
                    request::SET_DISCARD_INVALID => (*value != 0, unmappable),
                    _ => (ill_formed, *value != 0),
                };
                self.set(pair)?;
                self.reports_loss = false;
            }
            _ => return Err(libc::EINVAL),
        }
        Ok(())
    }

    /// Changes what happens to what cannot be converted.
    fn set(&mut self, pair: IconvPair) -> Result<(), c_int> {
        self.converter.set_pair(pair, rules(&pair)).map_err(|_| libc::EINVAL)
    }
}

/// Returns the locale whose rules of transliteration apply. Finding it takes longer than everything else that opens a
/// conversion, so it is looked up only if needed.
fn rules(pair: &IconvPair) -> TransliterationLocale {
    if pair.suffixes.transliterate {
        TransliterationLocale::of_environment(&thread_locale::name())
    } else {
        TransliterationLocale::default()
    }
}
