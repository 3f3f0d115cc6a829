// The environment as one object that is kept for a moment: a copy of process.env costs a call into the system for each variable, and a turn asks for some forty.
export type Variables = Readonly<Record<string, string | undefined>>;

/** Nobody notices that a variable which another extension sets counts this much later. */
const heldMs = 250;

/** `own` is copied; what `added` gives has the last word and counts at once, as long as it gives another object when something changed. */
export function heldVariables(
  own: Variables,
  added: () => Variables,
  now: () => number = () => performance.now(),
): () => Variables {
  let held: { variables: Variables; added: Variables; until: number } | undefined;
  return () => {
    const present = added();
    if (held === undefined || held.added !== present || now() >= held.until) {
      held = { variables: { ...own, ...present }, added: present, until: now() + heldMs };
    }
    return held.variables;
  };
}
