//! What a new file takes over from the old one: mode, owner, extended attributes. Everything that needs Unix.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::Path;

use super::Loss;

/// What could not be taken over.
#[derive(Debug, Default)]
pub(super) struct Losses {
    hard_links: bool,
    owner: bool,
    attributes: bool,
}

impl Losses {
    pub(super) fn losses(&self, path: &Path) -> Vec<Loss> {
        let losses = [
            self.hard_links.then(|| Loss::HardLinks(path.to_owned())),
            self.owner.then(|| Loss::Owner(path.to_owned())),
            self.attributes.then(|| Loss::Attributes(path.to_owned())),
        ];
        losses.into_iter().flatten().collect()
    }
}

#[cfg(unix)]
mod system {
    use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt, fchown};

    use rustix::fs::{CWD, OFlags, RenameFlags, XattrFlags};
    use rustix::io::Errno;

    use super::*;

    /// Gives the new file mode, owner and attributes of the old one, as far as the system lets us.
    pub(in super::super) fn attributes(old: &File, new: &File) -> io::Result<Losses> {
        let (was, is) = (old.metadata()?, new.metadata()?);
        let mut mode = was.mode() & 0o7777;
        let mut kept = Losses { hard_links: was.nlink() > 1, ..Losses::default() };
        if (was.uid(), was.gid()) != (is.uid(), is.gid())
            && fchown(new, Some(was.uid()), Some(was.gid())).is_err()
        {
            kept.owner = was.uid() != is.uid();
            if fchown(new, None, Some(was.gid())).is_err() && was.gid() != is.gid() {
                // Another group must not get more than all others, nor another owner the old one's rights.
                mode = (mode & !0o6070) | ((mode & 0o007) << 3);
                kept.owner = true;
            }
        }
        kept.attributes = !copy_attributes(old, new);
        new.set_permissions(fs::Permissions::from_mode(mode))?;
        Ok(kept)
    }

    /// Copies extended attributes, access lists among them; tells whether all could be copied.
    fn copy_attributes(old: &File, new: &File) -> bool {
        let (Ok(wanted), Ok(found)) = (names(old), names(new)) else { return true };
        // What the folder gives to new files is not what the old one had.
        for name in found.iter().filter(|name| !wanted.contains(name)) {
            let _ = rustix::fs::fremovexattr(new, name.as_slice());
        }
        let copied = |name: &Vec<u8>| {
            value(old, name).is_ok_and(|value| {
                rustix::fs::fsetxattr(new, name.as_slice(), &value, XattrFlags::empty()).is_ok()
            })
        };
        // The system's own attributes follow its own rules.
        wanted
            .iter()
            .filter(|name| !copied(name))
            .all(|name| name.starts_with(b"security.") || name.starts_with(b"trusted."))
    }

    fn names(file: &File) -> rustix::io::Result<Vec<Vec<u8>>> {
        let bytes = grown(|buffer| rustix::fs::flistxattr(file, buffer))?;
        let names = bytes.split(|&byte| byte == 0).filter(|name| !name.is_empty());
        Ok(names.map(<[u8]>::to_vec).collect())
    }

    fn value(file: &File, name: &[u8]) -> rustix::io::Result<Vec<u8>> {
        grown(|buffer| rustix::fs::fgetxattr(file, name, buffer))
    }

    /// Asks with larger and larger room, up to what Linux allows an attribute.
    fn grown(ask: impl Fn(&mut [u8]) -> rustix::io::Result<usize>) -> rustix::io::Result<Vec<u8>> {
        let mut buffer = vec![0; 1 << 10];
        loop {
            match ask(&mut buffer) {
                Ok(length) => {
                    buffer.truncate(length);
                    return Ok(buffer);
                }
                Err(Errno::RANGE) if buffer.len() < 1 << 17 => buffer.resize(buffer.len() * 4, 0),
                Err(error) => return Err(error),
            }
        }
    }

    pub(in super::super) fn limit_mode(options: &mut OpenOptions, is_private: bool) {
        options.mode(if is_private { 0o600 } else { 0o666 });
    }

    pub(in super::super) fn make_private_folder(path: &Path) -> io::Result<()> {
        fs::DirBuilder::new().mode(0o700).create(path)
    }

    /// Opens for reading and writing; a link that was put there meanwhile is not followed.
    pub(in super::super) fn open_without_link(path: &Path) -> io::Result<File> {
        let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed();
        OpenOptions::new().read(true).write(true).custom_flags(flags).open(path)
    }

    /// Opens a file or folder of our own user.
    pub(in super::super) fn open_own(path: &Path) -> io::Result<File> {
        let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed();
        let file = OpenOptions::new().read(true).custom_flags(flags).open(path)?;
        let is_own = file.metadata()?.uid() == rustix::process::geteuid().as_raw();
        if is_own { Ok(file) } else { Err(io::ErrorKind::PermissionDenied.into()) }
    }

    /// Tells whether a path still leads to an open file.
    pub(in super::super) fn is_at(file: &File, path: &Path) -> bool {
        let id = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
        let open = file.metadata().map(id);
        open.is_ok_and(|open| path.symlink_metadata().is_ok_and(|found| id(found) == open))
    }

    /// Gives a file another name, which must not be taken.
    pub(in super::super) fn rename_to_nothing(from: &Path, to: &Path) -> io::Result<()> {
        #[cfg(target_os = "linux")]
        match rustix::fs::renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {}
            other => return Ok(other?),
        }
        fs::hard_link(from, to)
    }
}

#[cfg(not(unix))]
mod system {
    use super::*;

    pub(in super::super) fn attributes(old: &File, new: &File) -> io::Result<Losses> {
        new.set_permissions(old.metadata()?.permissions())?;
        Ok(Losses::default())
    }

    pub(in super::super) fn limit_mode(_: &mut OpenOptions, _: bool) {}

    pub(in super::super) fn make_private_folder(path: &Path) -> io::Result<()> {
        fs::create_dir(path)
    }

    pub(in super::super) fn open_without_link(path: &Path) -> io::Result<File> {
        OpenOptions::new().read(true).write(true).open(path)
    }

    pub(in super::super) fn open_own(path: &Path) -> io::Result<File> {
        File::open(path)
    }

    pub(in super::super) fn is_at(_: &File, path: &Path) -> bool {
        path.exists()
    }

    pub(in super::super) fn rename_to_nothing(from: &Path, to: &Path) -> io::Result<()> {
        fs::hard_link(from, to)
    }
}

pub(super) use system::*;
