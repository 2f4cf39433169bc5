//! Local functions of a shared object by their names: the symbol table of the file, and where the loader
//! put it.

use std::collections::BTreeMap;
use std::ffi::{CStr, OsStr, c_int, c_void};
use std::ops::Range;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use object::{Architecture, Object, ObjectSymbol, SymbolKind};

/// What the file says of itself.
#[derive(Debug)]
pub struct Image {
    /// Build id, in hex.
    pub build_id: String,
    /// Addresses of its functions by name, local ones too; several of one name are several.
    pub functions: BTreeMap<String, Vec<u64>>,
}

/// Reads a file.
///
/// # Errors
/// It cannot be read, is no shared object of x86-64, has no symbol table or no build id.
pub fn read(path: &Path) -> Result<Image, String> {
    let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
    let file = object::File::parse(&*bytes).map_err(|error| format!("no library: {error}"))?;
    if file.architecture() != Architecture::X86_64 {
        return Err(format!(
            "it is for {:?}: the signatures are those of x86-64",
            file.architecture()
        ));
    }
    if file.symbol_table().is_none() {
        return Err(
            "it has no symbol table (stripped): its local functions have no names to be found by"
                .into(),
        );
    }
    let build_id = file.build_id().map_err(|error| error.to_string())?;
    let Some(build_id) = build_id else {
        return Err("it has no build id: which version it is cannot be told".into());
    };
    let mut functions: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    for symbol in file.symbols() {
        if symbol.kind() != SymbolKind::Text || symbol.is_undefined() {
            continue;
        }
        if let Ok(name) = symbol.name() {
            let addresses = functions.entry(name.into()).or_default();
            if !addresses.contains(&symbol.address()) {
                addresses.push(symbol.address());
            }
        }
    }
    Ok(Image {
        build_id: build_id.iter().map(|byte| format!("{byte:02x}")).collect(),
        functions,
    })
}

/// Where a loaded library is.
#[derive(Clone, Debug, Default)]
pub struct Placed {
    /// What is added to the addresses of its file.
    pub bias: u64,
    /// Memory of it that may be executed.
    executable: Vec<Range<u64>>,
}

impl Placed {
    /// Whether an address of the file lies in memory that may be executed.
    pub fn executes(&self, address: u64) -> bool {
        let at = self.bias.wrapping_add(address);
        self.executable.iter().any(|range| range.contains(&at))
    }
}

struct Search {
    /// Device and inode of the file.
    file: (u64, u64),
    found: Option<Placed>,
}

/// Finds a library that was loaded from a file.
///
/// # Errors
/// It is not loaded.
pub fn placed(path: &Path) -> Result<Placed, String> {
    let file = identity(path).ok_or("it is gone")?;
    let mut search = Search { file, found: None };
    // SAFETY: the callback keeps to the structure that it is given, and `search` outlives the call.
    unsafe { libc::dl_iterate_phdr(Some(look), (&raw mut search).cast()) };
    search
        .found
        .ok_or_else(|| "it is loaded, but not from this file".into())
}

fn identity(path: &Path) -> Option<(u64, u64)> {
    let metadata = std::fs::metadata(path).ok()?;
    Some((metadata.dev(), metadata.ino()))
}

unsafe extern "C" fn look(
    info: *mut libc::dl_phdr_info,
    _size: libc::size_t,
    search: *mut c_void,
) -> c_int {
    // SAFETY: `placed` hands its search over, and the loader its structure, for the call.
    let (info, search) = unsafe { (&*info, &mut *search.cast::<Search>()) };
    if info.dlpi_name.is_null() {
        return 0;
    }
    // SAFETY: the loader's names are terminated.
    let name = unsafe { CStr::from_ptr(info.dlpi_name) };
    let path = Path::new(OsStr::from_bytes(name.to_bytes()));
    if identity(path) != Some(search.file) {
        return 0;
    }
    let mut placed = Placed {
        bias: info.dlpi_addr,
        executable: Vec::new(),
    };
    for number in 0..usize::from(info.dlpi_phnum) {
        // SAFETY: there are that many headers.
        let header = unsafe { &*info.dlpi_phdr.add(number) };
        if header.p_type == libc::PT_LOAD && header.p_flags & libc::PF_X != 0 {
            let start = placed.bias.wrapping_add(header.p_vaddr);
            placed
                .executable
                .push(start..start.wrapping_add(header.p_memsz));
        }
    }
    search.found = Some(placed);
    1
}
