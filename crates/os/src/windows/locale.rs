//! The language of the user, and the code pages of the system.

use std::env;
use std::path::PathBuf;

use windows_sys::Win32::Globalization::{GetACP, GetOEMCP, GetUserDefaultLocaleName};
use windows_sys::Win32::System::Console::GetConsoleOutputCP;

use crate::{CodePage, Locale};

/// The most units of a locale's name, with its NUL (`LOCALE_NAME_MAX_LENGTH` in `winnls.h`).
const MAX_NAME: usize = 85;

impl Locale {
    /// Returns the locale that LC_ALL, LC_CTYPE or LANG name, as they do in the shells that came from Unix, or else the
    /// user's.
    pub fn of_environment() -> Self {
        let value = |name: &&str| env::var(name).ok().filter(|value| !value.is_empty());
        let named = ["LC_ALL", "LC_CTYPE", "LANG"].iter().find_map(value);
        let charset = named.as_deref().and_then(|name| Some(name.split_once('.')?.1.to_owned()));
        Self {
            charset: charset.unwrap_or_else(ansi_charset),
            name: named.unwrap_or_else(user_locale),
        }
    }
}

/// Returns the name by which iconv knows the code page.
fn ansi_charset() -> String {
    match CodePage::Ansi.number() {
        Some(65001) => "UTF-8".to_owned(),
        number => format!("CP{}", number.unwrap_or_default()),
    }
}

/// Returns the name of the user's locale as on Unix: `de_DE`.
fn user_locale() -> String {
    let mut name = [0; MAX_NAME];
    // SAFETY: pointer and length are those of the array.
    let len = unsafe { GetUserDefaultLocaleName(name.as_mut_ptr(), MAX_NAME as i32) };
    let len = usize::try_from(len).unwrap_or(0).saturating_sub(1);
    match String::from_utf16_lossy(&name[..len]).replace('-', "_") {
        name if name.is_empty() => "C".to_owned(),
        name => name,
    }
}

impl CodePage {
    /// Returns its number.
    pub fn number(self) -> Option<u32> {
        // SAFETY: the calls have no preconditions.
        Some(unsafe {
            match self {
                Self::Ansi => GetACP(),
                Self::Oem => GetOEMCP(),
                // A process without a console has none.
                Self::Console => match GetConsoleOutputCP() {
                    0 => GetOEMCP(),
                    number => number,
                },
            }
        })
    }
}

/// Returns the directory in which programs keep the user's settings.
pub fn user_config_directory() -> Option<PathBuf> {
    env::var_os("APPDATA").map(PathBuf::from).filter(|path| path.is_absolute())
}
