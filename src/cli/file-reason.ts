/** What the system says, in words, and whether other arguments would help. */
export const systemErrors: Readonly<Record<string, string>> = {
  EACCES: 'this user has no permission for it',
  EADDRINUSE: 'the address is in use by another program',
  EEXIST: 'it exists already',
  EISDIR: 'it is a folder',
  ENAMETOOLONG: 'the name is too long',
  ENOENT: 'there is no such file or folder',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of the path is not a folder',
  EPERM: 'the system does not permit it',
  EROFS: 'the file system is read-only',
}

/** Why a file could not be read or written, without the name of the call and the path again. */
export function fileReason(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException
  return systemErrors[code] ?? message
}
