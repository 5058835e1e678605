//! Checks that an output decodes to the characters that were written.
//!
//! ```text
//! first    text ─► decoder ─► characters ─► encoder ─► result          TextFingerprint of the characters
//!                                                      result ─► decoder ─► TextFingerprint: the same?
//! if not   the text again, compared with the result character by character: where do they differ?
//! ```
//!
//! An `Observer` sees every character that the output is made of. The fingerprint needs constant memory, and says
//! nothing about the place of a difference. The second pass finds the place, and knows which differences are expected:
//! a character that the target reads back as another one (a table's one-way entries, such as glibc's U+00A5 to 5C in
//! CP932), and characters that it joins (surrogates in WTF-8, a letter and its tone mark in windows-1258). A letter
//! that is read back as a control is lost: some tables of glibc have SUBSTITUTE for every letter that the charset
//! lacks.

use std::collections::VecDeque;

use super::conversion::Conversion;
use super::error::Error;
use super::observer::Observer;
use crate::io::Source;
use oxiconv_encodings::codec::{
    ByteOrder, CodeValue, DecodeStop, Decoder, EncodeStop, MIN_OUTPUT, MIN_PIVOT,
};
use oxiconv_encodings::encoding::Encoding;
use oxiconv_encodings::unicode::{CodePoint, is_control};

/// A hash of a sequence of characters. Two sequences with the same fingerprint are the same for all practical purposes.
///
/// Each step of the hash depends on the one before it, so a single hash would run at the latency of a multiplication.
/// Here every fourth character goes into the same of four hashes, which the processor computes at the same time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TextFingerprint {
    hashes: [u64; Self::LANES],
    characters: u64,
}

impl TextFingerprint {
    const LANES: usize = 4;

    fn add(&mut self, value: u64) {
        let lane = self.characters as usize % Self::LANES;
        self.hashes[lane] = mixed(self.hashes[lane], value);
        self.characters += 1;
    }
}

#[inline]
fn mixed(hash: u64, value: u64) -> u64 {
    // Odd, and without a pattern in its bits: the fractional part of the golden ratio.
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
    (hash.rotate_left(5) ^ value).wrapping_mul(FACTOR)
}

impl Observer for TextFingerprint {
    fn run(&mut self, run: &[CodePoint]) {
        let to_first = (Self::LANES - self.characters as usize % Self::LANES) % Self::LANES;
        let (head, run) = run.split_at(to_first.min(run.len()));
        head.iter().for_each(|cp| self.add((*cp).into()));
        let (fours, tail) = run.as_chunks::<{ Self::LANES }>();
        let mut hashes = self.hashes;
        for four in fours {
            for (hash, cp) in hashes.iter_mut().zip(four) {
                *hash = mixed(*hash, (*cp).into());
            }
        }
        self.hashes = hashes;
        self.characters += (fours.len() * Self::LANES) as u64;
        tail.iter().for_each(|cp| self.add((*cp).into()));
    }

    fn large(&mut self, value: CodeValue) {
        self.add(value as u64 ^ ((value >> 64) as u64).rotate_left(63));
    }
}

/// Where a result differs from the characters that were written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the file on disk differs from the converted text at byte {offset} ({offset:#x}), character {character}"
)]
pub struct Difference {
    /// The offset of the byte in the result, from 0.
    pub offset: u64,
    /// The number of the character, from 1.
    pub character: u64,
    /// The character, if it is because the target has a control instead.
    pub lost: Option<CodePoint>,
}

struct ReadBack<'s> {
    source: &'s mut dyn Source,
    decoder: Box<dyn Decoder>,
    /// The offset of the unread bytes, and how many of them were not enough for a character.
    offset: u64,
    unread: usize,
}

enum ReadBackItem {
    Run(usize),
    Large(CodeValue),
    End,
    IllFormed,
    /// A sequence for more characters than there is room for.
    NoRoom,
}

impl<'s> ReadBack<'s> {
    fn new(conversion: &Conversion, to: &Encoding, source: &'s mut dyn Source) -> Self {
        let decoder = conversion.new_decoder(to, conversion.output_order());
        Self { source, decoder, offset: 0, unread: 0 }
    }

    /// Decodes the next characters into `room`, and reads as much of the result as that takes.
    ///
    /// Whatever the decoder has written is returned first, and the reason why it stopped is looked at by the next call,
    /// which finds it again. `unread` bytes were not enough for a character, so the source must then provide more.
    fn next(&mut self, room: &mut [CodePoint]) -> Result<ReadBackItem, Error> {
        loop {
            let chunk = self.source.fill(self.unread + 1).map_err(Error::Read)?;
            let decoded = self.decoder.decode(chunk.bytes, room, chunk.last);
            let (all, last) = (chunk.bytes.len(), chunk.last);
            let (next, more) = match decoded.stop {
                _ if decoded.written > 0 => (Some(ReadBackItem::Run(decoded.written)), 0),
                DecodeStop::Large { value, len } => (Some(ReadBackItem::Large(value)), len),
                DecodeStop::IllFormed(_) => (Some(ReadBackItem::IllFormed), 0),
                DecodeStop::OutputFull => (Some(ReadBackItem::NoRoom), 0),
                _ if last && decoded.read == all => (Some(ReadBackItem::End), 0),
                _ => (None, 0),
            };
            let done = decoded.read + more;
            self.source.consume(done);
            self.offset += done as u64;
            self.unread = all - done;
            if let Some(next) = next {
                // The unread bytes have not been tried, so they may be enough for the next call.
                self.unread = 0;
                return Ok(next);
            }
        }
    }
}

impl TextFingerprint {
    /// Computes the fingerprint of a result of `conversion` as it decodes; `None` if the result is ill-formed.
    ///
    /// # Errors
    ///
    /// If `result` cannot be read.
    pub fn of_result(
        conversion: &Conversion,
        result: &mut dyn Source,
    ) -> Result<Option<Self>, Error> {
        let Some(to) = conversion.to else { return Ok(Some(Self::default())) };
        let mut back = ReadBack::new(conversion, to, result);
        let (mut room, mut fingerprint) = (vec![0; 4096], Self::default());
        loop {
            match back.next(&mut room)? {
                ReadBackItem::Run(len) => fingerprint.run(&room[..len]),
                ReadBackItem::Large(value) => fingerprint.large(value),
                ReadBackItem::End => return Ok(Some(fingerprint)),
                ReadBackItem::IllFormed | ReadBackItem::NoRoom => return Ok(None),
            }
        }
    }
}

/// Compares the characters that are written, as an [`Observer`], with those of a result.
pub struct Comparison<'s> {
    to: &'static Encoding,
    order: ByteOrder,
    back: ReadBack<'s>,
    /// Characters not compared yet: the written ones, and those of the result with their offsets.
    wanted: VecDeque<CodeValue>,
    got: VecDeque<(CodeValue, u64)>,
    compared: u64,
    /// The character that the target turned into a control, if that is the difference.
    lost: Option<CodePoint>,
    /// How the comparison ended: at the first difference, or because bytes are missing.
    ended: Option<Result<Difference, Error>>,
}

impl<'s> Comparison<'s> {
    /// The most characters that the target joins into one, or splits one into. Comparison lags behind the observed
    /// characters by this many, so that all that may be joined are known.
    const JOINED: usize = 4;

    /// Creates a comparison with the result of a conversion; `None` if it writes nothing.
    pub fn new(conversion: &Conversion, result: &'s mut dyn Source) -> Option<Self> {
        let to = conversion.to?;
        Some(Self {
            to,
            order: conversion.output_order(),
            back: ReadBack::new(conversion, to, result),
            wanted: VecDeque::new(),
            got: VecDeque::new(),
            compared: 0,
            lost: None,
            ended: None,
        })
    }

    /// Returns the first difference, after all written characters have been observed.
    ///
    /// # Errors
    ///
    /// If the result cannot be read.
    pub fn finish(mut self) -> Result<Option<Difference>, Error> {
        self.compare(0);
        if self.ended.is_none() && (!self.got.is_empty() || self.read()) {
            self.differs();
        }
        self.ended.transpose()
    }

    /// Compares while more than `left` written characters are pending.
    fn compare(&mut self, left: usize) {
        while self.ended.is_none() && self.wanted.len() > left {
            while self.got.len() < Self::JOINED && self.read() {}
            if self.ended.is_some() {
                return;
            }
            if self.wanted.front() == self.got.front().map(|(value, _)| value) {
                self.pass(1, 1);
            } else if !self.reads_back_alike() {
                self.differs();
            }
        }
    }

    /// Whether the next characters of the result are what the target makes of those written; if so, skips both.
    ///
    /// One written character is encoded and decoded again, then two together, and so on. In CP932, `¥` reads back as a
    /// backslash, which is what the result has. In windows-1258, `a` reads back as `a`, and the result has `á`;
    /// together with U+0301 it reads back as `á`, so two written characters stand against one of the result.
    ///
    /// That must not excuse a loss. If one character reads back as a control that was not written, it counts as a
    /// difference, although the table says so.
    fn reads_back_alike(&mut self) -> bool {
        for count in 1..=Self::JOINED.min(self.wanted.len()) {
            let wanted: Vec<_> = self.wanted.iter().take(count).copied().collect();
            let Some(read) = read_back(self.to, self.order, &wanted) else { return false };
            let got = self.got.iter().map(|(value, _)| value).take(read.len());
            if !read.is_empty() && got.eq(&read) {
                if count == 1 && has_controls(&read) && !has_controls(&wanted) {
                    self.lost = CodePoint::try_from(wanted[0]).ok();
                    return false;
                }
                self.pass(count, read.len());
                return true;
            }
        }
        false
    }

    fn pass(&mut self, wanted: usize, got: usize) {
        self.wanted.drain(..wanted);
        self.got.drain(..got);
        self.compared += wanted as u64;
    }

    fn differs(&mut self) {
        let offset = self.got.front().map_or(self.back.offset, |(_, offset)| *offset);
        let (character, lost) = (self.compared + 1, self.lost);
        self.ended = Some(Ok(Difference { offset, character, lost }));
    }

    /// Reads one more sequence of the result; returns whether there was one. The room grows until the sequence fits, so
    /// that only one is read, and its offset is known.
    fn read(&mut self) -> bool {
        let mut room = [0; MIN_PIVOT];
        for width in 1..=MIN_PIVOT {
            let offset = self.back.offset;
            match self.back.next(&mut room[..width]) {
                Ok(ReadBackItem::NoRoom) => continue,
                Ok(ReadBackItem::Run(len)) => {
                    self.got.extend(room[..len].iter().map(|cp| (CodeValue::from(*cp), offset)));
                    return true;
                }
                Ok(ReadBackItem::Large(value)) => {
                    self.got.push_back((value, offset));
                    return true;
                }
                Ok(ReadBackItem::End) => return false,
                Ok(ReadBackItem::IllFormed) => {
                    if self.got.is_empty() {
                        self.differs();
                    }
                    return false;
                }
                Err(error) => {
                    self.ended = Some(Err(error));
                    return false;
                }
            }
        }
        false
    }
}

impl Observer for Comparison<'_> {
    fn run(&mut self, run: &[CodePoint]) {
        if self.ended.is_none() {
            self.wanted.extend(run.iter().map(|cp| CodeValue::from(*cp)));
            self.compare(Self::JOINED);
        }
    }

    fn large(&mut self, value: CodeValue) {
        if self.ended.is_none() {
            self.wanted.push_back(value);
            self.compare(Self::JOINED);
        }
    }
}

fn has_controls(characters: &[CodeValue]) -> bool {
    characters.iter().filter_map(|value| CodePoint::try_from(*value).ok()).any(is_control)
}

/// Encodes `characters` and returns what the encoding decodes them to.
fn read_back(
    encoding: &Encoding,
    order: ByteOrder,
    characters: &[CodeValue],
) -> Option<Vec<CodeValue>> {
    let code_points: Vec<_> = characters
        .iter()
        .map(|value| CodePoint::try_from(*value))
        .collect::<Result<_, _>>()
        .ok()?;
    let (mut bytes, mut encoder) = (vec![0; 4 * MIN_OUTPUT], encoding.new_encoder(order));
    let encoded = encoder.encode(&code_points, &mut bytes);
    if encoded.stop != EncodeStop::InputEmpty {
        return None;
    }
    let len = encoded.written + encoder.finish(&mut bytes[encoded.written..]);
    let mut room = [0; 4 * MIN_PIVOT];
    let decoded = encoding.new_decoder(order).decode(&bytes[..len], &mut room, true);
    (decoded.read == len).then(|| room[..decoded.written].iter().map(|cp| (*cp).into()).collect())
}

#[cfg(test)]
mod tests;
