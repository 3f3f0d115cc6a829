// The error of a rig that cannot do its work on this machine: its message is a whole sentence for a user.

/** Shown without a stack trace; everything else that is thrown is a bug and keeps its trace. */
export class RigError extends Error {
  override readonly name = 'RigError';
}
