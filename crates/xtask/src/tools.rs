//! The tools a build needs, found or installed: what is missing is said before it is installed, and a second run
//! installs nothing. Own installations live in `~/.cache/drydock` (`DRYDOCK_CACHE`), npm packages in `editor/` and
//! `tests/browser/`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::parts;
use crate::run::{Result, command, output, root, run, say, which};

pub const TARGET: &str = "wasm32-unknown-unknown";
const TRUNK: &str = "0.21.14";

/// How wasm is compiled here.
#[derive(Clone, Debug)]
pub struct Wasm {
    /// Put before PATH, so that trunk finds the right cargo and rustc.
    path: Vec<PathBuf>,
    linker: Option<String>,
    /// Whether the standard library is compiled with the page, for size and without the texts of panics. `false` where
    /// its source is missing: the page is 10% larger there.
    own_std: bool,
}

impl Wasm {
    /// A command that sees this toolchain.
    pub fn command(&self, program: &str, args: &[&str]) -> Command {
        let path = self.search_path();
        let found = std::env::split_paths(&path).map(|folder| folder.join(program)).find(|file| file.is_file());
        let mut command = command(found.unwrap_or_else(|| program.into()), args);
        command.env("PATH", path);
        // Set by the cargo that runs us; they would name its own compiler.
        for name in ["CARGO", "RUSTC", "RUSTUP_TOOLCHAIN", "RUSTDOC"] {
            command.env_remove(name);
        }
        command.env("DRYDOCK_PARTS", parts::digest());
        if let Some(linker) = &self.linker {
            command.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker);
        }
        if self.own_std {
            // A stable compiler takes the flags of a nightly one with the first of these.
            command
                .env("RUSTC_BOOTSTRAP", "1")
                .env("CARGO_UNSTABLE_BUILD_STD", "std,panic_abort")
                .env("CARGO_UNSTABLE_BUILD_STD_FEATURES", "optimize_for_size")
                .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", "-Zunstable-options -Cpanic=immediate-abort");
        }
        if let Ok(ourselves) = std::env::current_exe() {
            command.env("RUSTC_WRAPPER", ourselves);
        }
        command
    }

    fn search_path(&self) -> OsString {
        let old = std::env::var_os("PATH").unwrap_or_default();
        let all = self.path.iter().cloned().chain(std::env::split_paths(&old));
        std::env::join_paths(all).unwrap_or(old)
    }
}

/// Runs the compiler for cargo (as its `RUSTC_WRAPPER`). Where a whole program is made, functions with a frame are not
/// inlined: many small frames come out of gzip 4% shorter than few large ones. Told to every crate, the same flag costs
/// half of that again, and cargo has no place for flags of the last one only. The page is cut into its parts.
pub fn compile(compiler: &str, args: &[String]) -> Result<()> {
    let mut command = Command::new(compiler);
    command.args(args);
    let is_program = args.windows(2).any(|pair| pair[0] == "--crate-type" && matches!(&*pair[1], "bin" | "cdylib"));
    let is_program = is_program && args.iter().any(|arg| arg == TARGET);
    if is_program {
        command.arg("-Cllvm-args=-inline-max-stacksize=0");
    }
    if args.iter().any(|arg| arg == TARGET) {
        // Gates are found by their names.
        command.arg("-Csymbol-mangling-version=v0");
    }
    let parts = parts::of(args).filter(|_| is_program);
    if parts.is_some() {
        command.arg("-Clink-arg=--emit-relocs");
    }
    let status = command.status().map_err(|error| format!("{compiler}: {error}"))?;
    if let Some(parts) = parts.filter(|_| status.success()) {
        parts::cut(args, parts)?;
    }
    std::process::exit(status.code().unwrap_or(1))
}

pub fn cache() -> PathBuf {
    let home = || std::env::var_os("HOME").map(|home| Path::new(&home).join(".cache/drydock"));
    std::env::var_os("DRYDOCK_CACHE").map(PathBuf::from).or_else(home).unwrap_or_else(|| root().join("target/drydock"))
}

/// A compiler for wasm with the source of its standard library: rustup's where it can fetch them, else Debian's.
pub fn wasm() -> Result<Wasm> {
    let mut wasm = if rustup_has_target() {
        Wasm { path: Vec::new(), linker: None, own_std: rustup_has_source() }
    } else {
        debian_wasm()?
    };
    wasm.path.insert(0, cache().join("bin"));
    Ok(wasm)
}

fn rustup_has_source() -> bool {
    let has = || {
        output(&mut command("rustup", &["component", "list", "--installed"])).is_some_and(|l| l.contains("rust-src"))
    };
    if has() {
        return true;
    }
    let tried = cache().join("rustup-has-no-source");
    if tried.exists() {
        return false;
    }
    say("installing the source of the standard library with rustup");
    if output(&mut command("timeout", &["60", "rustup", "component", "add", "rust-src"])).is_some() && has() {
        return true;
    }
    say("rustup cannot fetch it here: the page will be a little larger");
    let _ = std::fs::create_dir_all(cache());
    let _ = std::fs::write(tried, "");
    false
}

fn rustup_has_target() -> bool {
    let has = || output(&mut command("rustup", &["target", "list", "--installed"])).is_some_and(|l| l.contains(TARGET));
    if which("rustup").is_none() {
        return false;
    }
    if has() {
        return true;
    }
    // A machine where this failed once is not asked again each time.
    let tried = cache().join("rustup-has-no-wasm");
    if tried.exists() {
        return false;
    }
    say("installing the wasm target with rustup");
    if output(&mut command("timeout", &["60", "rustup", "target", "add", TARGET])).is_some() && has() {
        return true;
    }
    say("rustup cannot fetch it here");
    let _ = std::fs::create_dir_all(cache());
    let _ = std::fs::write(tried, "");
    false
}

fn debian_wasm() -> Result<Wasm> {
    let rustc = Path::new("/usr/bin/rustc");
    let source = Path::new("/usr/lib/rustlib/src/rust/library");
    let mut missing = Vec::new();
    if !rustc.exists() {
        missing.push("rustc-web");
    }
    if !Path::new("/usr/bin/cargo").exists() {
        missing.push("cargo-web");
    }
    if !source.exists() {
        missing.push("rust-web-src");
    }
    apt(&missing)?;
    let version = output(Command::new(rustc).arg("-vV")).ok_or("/usr/bin/rustc does not run")?;
    let llvm = version.lines().find_map(|line| line.strip_prefix("LLVM version: ")).unwrap_or_default();
    let major = llvm.split('.').next().unwrap_or_default();
    let linker = format!("wasm-ld-{major}");
    if which(&linker).is_none() {
        apt(&[&format!("lld-{major}")])?;
    }
    Ok(Wasm { path: vec!["/usr/bin".into()], linker: Some(linker), own_std: true })
}

fn apt(packages: &[&str]) -> Result<()> {
    if packages.is_empty() {
        return Ok(());
    }
    if which("apt-get").is_none() {
        return Err(format!("please install {}", packages.join(", ")));
    }
    say(&format!("installing with apt-get: {}", packages.join(" ")));
    let sudo = output(Command::new("id").arg("-u")).is_some_and(|id| id.trim() != "0");
    let apt = |args: &[&str]| {
        let mut command = if sudo { Command::new("sudo") } else { Command::new("env") };
        command.args(["DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq"]).args(args);
        command
    };
    let _ = output(&mut apt(&["update"]));
    let mut all = vec!["install", "-y", "--no-install-recommends"];
    all.extend(packages);
    output(&mut apt(&all)).map(drop).ok_or_else(|| format!("apt-get could not install {}", packages.join(" ")))
}

/// trunk and the wasm-bindgen that fits Cargo.lock.
pub fn builders(wasm: &Wasm) -> Result<()> {
    let wanted = locked("wasm-bindgen")?;
    let have = output(&mut wasm.command("wasm-bindgen", &["--version"])).unwrap_or_default();
    if have.split_whitespace().nth(1) != Some(wanted.as_str()) {
        install("wasm-bindgen-cli", &wanted, &[])?;
    }
    let have = output(&mut wasm.command("trunk", &["--version"])).unwrap_or_default();
    if have.split_whitespace().nth(1) != Some(TRUNK) {
        install("trunk", TRUNK, &["--no-default-features"])?;
    }
    Ok(())
}

/// The version Cargo.lock has of a package.
fn locked(package: &str) -> Result<String> {
    let lock = std::fs::read_to_string(root().join("Cargo.lock")).map_err(|error| format!("Cargo.lock: {error}"))?;
    let after = lock.split(&format!("name = \"{package}\"\nversion = \"")).nth(1);
    let version = after.and_then(|rest| rest.split('"').next());
    version.map(str::to_string).ok_or_else(|| format!("Cargo.lock has no {package}"))
}

fn install(package: &str, version: &str, more: &[&str]) -> Result<()> {
    say(&format!("installing {package} {version} (a few minutes, once)"));
    let cache = cache();
    let install = |locked: &[&str]| {
        let mut command = command("cargo", &["install", package, "--version", version, "--quiet"]);
        command.args(more).args(locked).arg("--root").arg(&cache);
        command.env("CARGO_TARGET_DIR", cache.join("build")).env_remove("CARGO_BUILD_TARGET");
        run(&mut command)
    };
    install(&["--locked"]).or_else(|_| install(&[]))?;
    let _ = std::fs::remove_dir_all(cache.join("build"));
    Ok(())
}

/// npm packages of a folder with a lockfile.
pub fn npm(folder: &str) -> Result<()> {
    let folder = root().join(folder);
    let lock = std::fs::read_to_string(folder.join("package-lock.json")).unwrap_or_default();
    let stamp = folder.join("node_modules/.drydock-lock");
    if std::fs::read_to_string(&stamp).ok().as_deref() == Some(lock.as_str()) {
        return Ok(());
    }
    if which("npm").is_none() {
        apt(&["nodejs", "npm"])?;
    }
    say(&format!("installing npm packages of {}", folder.display()));
    let mut command = command("npm", &["ci", "--no-audit", "--no-fund", "--loglevel=error"]);
    run(command.current_dir(&folder).env("PUPPETEER_SKIP_DOWNLOAD", "1"))?;
    std::fs::write(&stamp, lock).map_err(|error| format!("{}: {error}", stamp.display()))
}

/// A Chromium for the browser tests.
pub fn chromium() -> Result<PathBuf> {
    let found = || ["chromium", "chromium-browser", "google-chrome"].iter().find_map(|name| which(name));
    if found().is_none() {
        apt(&["chromium", "fonts-noto-cjk"])?;
    }
    found().ok_or_else(|| "no Chromium found".into())
}

/// Whether cargo-nextest can run the tests.
pub fn has_nextest() -> bool {
    output(&mut command("cargo", &["nextest", "--version"])).is_some()
}
