//! The original HAL as a subject: functions of the user's own libnrt that no loader can find, by their names in
//! the symbol table of the file (spec 12).

mod answers;
mod call;
mod elf;
mod known;
mod selftest;
mod subject;

use std::collections::BTreeMap;
use std::path::Path;

use call::{Function, Memory, Values};

/// The library with its usable functions.
pub struct Libnrt {
    name: String,
    functions: BTreeMap<String, Function>,
    arch: Option<u8>,
    notes: Vec<String>,
}

impl Libnrt {
    /// Loads a library into this process, which is there for it, and tries its functions. `known` is a table
    /// of the user's.
    ///
    /// # Errors
    /// It cannot be read or loaded, has no names, is of a build that is not known, or nothing of it is usable.
    pub fn load(path: &Path, known: Option<&Path>) -> Result<Self, String> {
        let table = known::Table::load(known)?;
        let image = elf::read(path)?;
        let (library, signatures) = table.find(&image.build_id)?;
        open(path)?;
        let placed = elf::placed(path)?;
        let of = signatures.len();
        let (mut functions, mut faults) = (BTreeMap::new(), Vec::new());
        for (name, signature) in signatures {
            let addresses = image.functions.get(&name).map_or(&[][..], Vec::as_slice);
            let expected = library.addresses.get(&name).copied();
            let found = address(addresses, expected, &placed).map(|address| Function {
                address: placed.bias.wrapping_add(address),
                signature,
            });
            let fault = match &found {
                Ok(function) => selftest::fault(&name, function)
                    .map_err(|error| format!("no self-test can be made: {error}"))?,
                Err(fault) => Some(fault.clone()),
            };
            match (found, fault) {
                (Ok(function), None) => {
                    functions.insert(name, function);
                }
                (_, fault) => {
                    let fault = fault.unwrap_or_default();
                    faults.push(format!("not usable: {name}: {fault}"));
                }
            }
        }
        if functions.is_empty() {
            return Err(format!("nothing of it is usable; {}", faults.join("; ")));
        }
        let mut notes = vec![format!(
            "{}, build id {}: {} of {of} functions are usable",
            library.name,
            image.build_id,
            functions.len()
        )];
        notes.extend(faults);
        let mut libnrt = Self {
            name: path.display().to_string(),
            functions,
            arch: None,
            notes,
        };
        libnrt.arch = libnrt
            .call("al_hal_tpb_get_arch_type", &mut Memory::default(), &[])
            .map(|arch| arch as u8);
        Ok(libnrt)
    }

    /// Calls a function; none where it is not usable.
    fn call(&self, name: &str, memory: &mut Memory, values: Values) -> Option<u32> {
        let function = self.functions.get(name)?;
        // SAFETY: it keeps to its signature as far as the self-test shows, and this process is there for it.
        let given = unsafe { function.call(memory, values) };
        if !memory.fenced() {
            overrun(name);
        }
        Some(given)
    }
}

/// Ends the process: a function wrote around its memory, and what else it wrote is not known.
fn overrun(name: &str) -> ! {
    eprintln!("udma: {name} wrote outside of its memory");
    std::process::abort();
}

/// Loads the library for good.
fn open(path: &Path) -> Result<(), String> {
    use libloading::os::unix::{Library, RTLD_LAZY, RTLD_LOCAL};
    // A path without a slash would be searched for elsewhere.
    let path = path.canonicalize().map_err(|error| error.to_string())?;
    // SAFETY: the process exists to run this library; whatever its initialisers do, they do here.
    let library = unsafe { Library::open(Some(path), RTLD_LAZY | RTLD_LOCAL) };
    let library = library.map_err(|error| error.to_string())?;
    // Loaded until the process ends, and so are the functions.
    std::mem::forget(library);
    Ok(())
}

/// The one address of a function.
fn address(addresses: &[u64], expected: Option<u64>, placed: &elf::Placed) -> Result<u64, String> {
    let [address] = *addresses else {
        return Err(match addresses.len() {
            0 => "there is none of that name".into(),
            several => format!("there are {several} of that name"),
        });
    };
    if let Some(expected) = expected
        && expected != address
    {
        return Err(format!(
            "it is at {address:#x}: in this build it is at {expected:#x}"
        ));
    }
    if !placed.executes(address) {
        return Err(format!("{address:#x} is no memory that may be executed"));
    }
    Ok(address)
}
