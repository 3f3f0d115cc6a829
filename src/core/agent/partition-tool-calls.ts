// Splits the calls of a reply into batches: consecutive concurrency-safe calls together, every other call alone.

/** Order is kept; the concatenation of the batches is the input. */
export function partitionToolCalls<Call>(calls: readonly Call[], isSafe: (call: Call) => boolean): Call[][] {
  const batches: Call[][] = [];
  let lastIsSafe = false;
  for (const call of calls) {
    const safe = isSafe(call);
    const last = batches.at(-1);
    if (safe && lastIsSafe && last !== undefined) last.push(call);
    else batches.push([call]);
    lastIsSafe = safe;
  }
  return batches;
}
