// Which cells of a notebook that opens are those that waited for review when it closed.

export interface KnownCell {
  /** Its own; older notebooks have none. */
  id: string | undefined;
  text: string;
}

/** For each one the place where it is now: by its id, else, where one of the two has none, by its text, as near as can be. */
export function findCells(
  sought: readonly (KnownCell & { index: number })[],
  present: readonly KnownCell[],
): (number | undefined)[] {
  const taken = new Set<number>();
  const take = (index: number | undefined): number | undefined => {
    if (index !== undefined) taken.add(index);
    return index;
  };
  const byId = sought.map(({ id }) => {
    const same = id === undefined ? [] : [...present.keys()].filter((index) => present[index]?.id === id);
    return take(same.length === 1 ? same[0] : undefined);
  });
  return sought.map(({ id, text, index }, order) => {
    if (byId[order] !== undefined) return byId[order];
    const alike = [...present.entries()].filter(
      ([at, cell]) =>
        !taken.has(at) && cell.text === text && (id === undefined || cell.id === undefined || cell.id === id),
    );
    return take(alike.map(([at]) => at).sort((left, right) => Math.abs(left - index) - Math.abs(right - index))[0]);
  });
}
