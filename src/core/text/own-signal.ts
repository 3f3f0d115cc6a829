// One listener's own copy of a signal that many listen to.

/**
 * Fires with `signal`. Node warns about a leak from the eleventh listener of one signal on, so what runs beside others of
 * its kind (calls of one reply, hooks of one event) listens to a signal of its own.
 */
export function ownSignal(signal: AbortSignal): AbortSignal {
  return AbortSignal.any([signal]);
}
