// Which problems are new: line numbers do not count, since every edit above a problem moves it. Pure.
import { type Diagnostic } from '../../ports/diagnostics';

/** Those of `now` that `before` does not hold as often. */
export function addedDiagnostics(before: readonly Diagnostic[], now: readonly Diagnostic[]): Diagnostic[] {
  const known = new Map<string, number>();
  for (const diagnostic of before) known.set(keyOf(diagnostic), (known.get(keyOf(diagnostic)) ?? 0) + 1);
  return now.filter((diagnostic) => {
    const left = known.get(keyOf(diagnostic)) ?? 0;
    if (left > 0) known.set(keyOf(diagnostic), left - 1);
    return left === 0;
  });
}

function keyOf({ path, cell, severity, message, source, code }: Diagnostic): string {
  return JSON.stringify([path, cell, severity, message, source, code]);
}
