//! Libraries that are known by their build id, and the signatures of their functions: data, to which a
//! user's own file adds.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;

/// The table that comes with the suite.
const BUILT_IN: &str = include_str!("../../known-libraries.toml");

/// A table of libraries.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    #[serde(default)]
    signatures: BTreeMap<String, String>,
    #[serde(default, rename = "library")]
    libraries: Vec<Library>,
}

/// A library that is known.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Library {
    /// What it is called.
    pub name: String,
    /// Its build id, in hex.
    pub build_id: String,
    /// Where its functions are, without the load bias.
    #[serde(default)]
    pub addresses: BTreeMap<String, u64>,
    /// Signatures that it has differently.
    #[serde(default)]
    signatures: BTreeMap<String, String>,
}

/// What a function gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gives {
    /// Nothing.
    Void,
    /// 0 or 1 in the low 8 bits.
    Bool,
    /// A code.
    Int,
    /// A number.
    Number,
}

/// An argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    /// By its name.
    Named(String),
    /// The same number in every call.
    Constant(u64),
}

/// How a function is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// What it gives.
    pub gives: Gives,
    /// Its arguments in order.
    pub arguments: Vec<Argument>,
}

/// Most arguments of a function.
pub const MOST_ARGUMENTS: usize = 16;

impl Signature {
    fn parse(text: &str) -> Result<Self, String> {
        let mut words = text.split_whitespace();
        let gives = match words.next() {
            Some("void") => Gives::Void,
            Some("bool") => Gives::Bool,
            Some("int") => Gives::Int,
            Some("u32") => Gives::Number,
            other => {
                let other = other.unwrap_or_default();
                return Err(format!("it gives {other:?}: void, bool, int or u32"));
            }
        };
        let argument = |word: &str| match word.parse() {
            Ok(number) => Argument::Constant(number),
            Err(_) => Argument::Named(word.into()),
        };
        let arguments: Vec<Argument> = words.map(argument).collect();
        if arguments.len() > MOST_ARGUMENTS {
            let count = arguments.len();
            return Err(format!(
                "it has {count} arguments: at most {MOST_ARGUMENTS}"
            ));
        }
        Ok(Self { gives, arguments })
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        self.arguments.iter().filter_map(|argument| match argument {
            Argument::Named(name) => Some(name.as_str()),
            Argument::Constant(_) => None,
        })
    }
}

/// Functions by name.
pub type Signatures = BTreeMap<String, Signature>;

fn parsed(table: &BTreeMap<String, String>) -> Result<Signatures, String> {
    let one = |(name, text): (&String, &String)| {
        let signature =
            Signature::parse(text).map_err(|why| format!("{name} = {text:?}: {why}"))?;
        Ok((name.clone(), signature))
    };
    table.iter().map(one).collect()
}

/// The suite's own signatures.
#[cfg(test)]
pub fn built_in() -> Result<Signatures, String> {
    let table: Table = toml::from_str(BUILT_IN).map_err(|error| error.to_string())?;
    parsed(&table.signatures)
}

impl Table {
    /// The suite's table and that of a user's file.
    ///
    /// # Errors
    /// The file, and what is wrong in it.
    pub fn load(own: Option<&Path>) -> Result<Self, String> {
        let mut table: Self = toml::from_str(BUILT_IN).map_err(|error| error.to_string())?;
        let Some(file) = own else {
            return Ok(table);
        };
        let failed = |why: String| format!("{}: {why}", file.display());
        let text = std::fs::read_to_string(file).map_err(|error| failed(error.to_string()))?;
        let own: Self = toml::from_str(&text).map_err(|error| failed(error.to_string()))?;
        for signatures in own
            .libraries
            .iter()
            .map(|library| &library.signatures)
            .chain([&own.signatures])
        {
            agree(signatures, &table.signatures).map_err(failed)?;
        }
        table.signatures.extend(own.signatures);
        // The user's own come first: they may put right what is built in.
        table.libraries.splice(0..0, own.libraries);
        Ok(table)
    }

    /// The library of a build id, and how its functions are called.
    ///
    /// # Errors
    /// A build id that is not known: which are, and how one is added.
    pub fn find(&self, build_id: &str) -> Result<(&Library, Signatures), String> {
        let known = |library: &&Library| library.build_id.eq_ignore_ascii_case(build_id);
        let Some(library) = self.libraries.iter().find(known) else {
            let known: Vec<String> = self
                .libraries
                .iter()
                .map(|library| format!("{} ({})", library.build_id, library.name))
                .collect();
            return Err(format!(
                "its build id {build_id} is not known: {}; a file with [[library]], name and \
                 build_id, given with --known-libraries, adds it",
                known.join(", ")
            ));
        };
        let mut signatures = parsed(&self.signatures)?;
        signatures.extend(parsed(&library.signatures)?);
        Ok((library, signatures))
    }
}

/// Whether a user's signatures are of functions that are asked, by arguments that they are given.
fn agree(own: &BTreeMap<String, String>, all: &BTreeMap<String, String>) -> Result<(), String> {
    for (name, signature) in parsed(own)? {
        let Some(known) = all.get(name.as_str()) else {
            return Err(format!("{name} is no function that is asked"));
        };
        let known = Signature::parse(known)?;
        for argument in signature.names() {
            if !known.names().any(|name| name == argument) {
                let names: Vec<&str> = known.names().collect();
                return Err(format!(
                    "{name} is given no {argument:?}: {}",
                    names.join(", ")
                ));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_table_names_its_functions_once_each_with_an_address() {
        let table = Table::load(None).expect("the built-in table");
        let (library, signatures) = table
            .find("8bb57aba0fb2e0035f1d88e9fc4fb3e7387c102e")
            .expect("spec 12");
        let addressed: Vec<&String> = library.addresses.keys().collect();
        assert_eq!(addressed, signatures.keys().collect::<Vec<_>>());
        assert_eq!(signatures.len(), 39);
    }

    #[test]
    fn a_users_file_adds_and_puts_right() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("own.toml");
        std::fs::write(
            &file,
            "[signatures]\nal_udma_m2m_set_first = \"void 7 w0\"\n\
             [[library]]\nname = \"mine\"\nbuild_id = \"ABCD\"\n\
             [library.signatures]\nsw_dma_queue_init = \"int count queue\"\n",
        )
        .expect("a file");
        let table = Table::load(Some(&file)).expect("a table");
        let (library, signatures) = table.find("abcd").expect("mine");
        assert_eq!(library.name, "mine");
        let first = &signatures["al_udma_m2m_set_first"];
        assert_eq!(first.arguments[0], Argument::Constant(7));
        assert_eq!(signatures["sw_dma_queue_init"].gives, Gives::Int);
        let unknown = table.find("1234").map(|_| ()).expect_err("no such build");
        assert!(unknown.contains("mine") && unknown.contains("--known-libraries"));
        for (wrong, told) in [
            (
                "[signatures]\nsw_dma_queue_init = \"void tx\"",
                "is given no \"tx\": queue, count",
            ),
            (
                "[signatures]\nmalloc = \"void\"",
                "malloc is no function that is asked",
            ),
            (
                "[signatures]\nsw_dma_queue_init = \"long queue\"",
                "it gives \"long\"",
            ),
            (
                "[[library]]\nname = \"x\"\nid = \"1\"",
                "unknown field `id`",
            ),
        ] {
            std::fs::write(&file, wrong).expect("a file");
            let error = Table::load(Some(&file)).map(|_| ()).expect_err(wrong);
            assert!(
                error.contains(told) && error.contains("own.toml"),
                "{error}"
            );
        }
    }
}
