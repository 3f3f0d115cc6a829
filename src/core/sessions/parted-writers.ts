// Parts what two machines have written into one log at the same time: line by line they would tear each other's replies apart.
import { type SessionRecord } from '../ports/record';
import { type Slices } from './slices';

/** Parted in a few milliseconds; then others have their turn. */
const sliceRecords = 4_000;

interface Chain {
  records: SessionRecord[];
  last: string | undefined;
}

/** The end of the record id after which an external session continues as a Deft session. */
export const continuedMark = '-continued';

/**
 * The same array where one wrote after the other. Else each writer's records stay together, as its own parents link them, in
 * the order in which the writers began; what names no known parent stays after the line before it.
 * What came from an external session stays as it is: such logs are trees even where one program wrote them.
 */
export async function partedWriters(
  records: SessionRecord[],
  { pause }: Pick<Slices, 'pause'>,
): Promise<SessionRecord[]> {
  const start = Math.max(
    0,
    records.findIndex((record) => linksOf(record).uuid?.endsWith(continuedMark) === true),
  );
  const chains: Chain[] = [{ records: records.slice(0, start), last: undefined }];
  const chainOf = new Map<string, Chain>();
  let [current] = chains;
  let returned = false;
  for (let at = start; at < records.length; at++) {
    if ((at + 1) % sliceRecords === 0) await pause();
    const record = records[at];
    if (record === undefined) continue;
    const { uuid, parentUuid } = linksOf(record);
    const parents = parentUuid === undefined ? undefined : chainOf.get(parentUuid);
    if (parents !== undefined && parentUuid !== current?.last) {
      const goesOn = parents.last === parentUuid && parents !== current;
      returned ||= goesOn;
      if (goesOn) current = parents;
      else chains.push((current = { records: [], last: undefined }));
    }
    current?.records.push(record);
    if (uuid === undefined || current === undefined) continue;
    current.last = uuid;
    chainOf.set(uuid, current);
  }
  return returned ? chains.flatMap((chain) => chain.records) : records;
}

function linksOf(record: SessionRecord): { uuid: string | undefined; parentUuid: string | undefined } {
  const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
  return {
    uuid: 'uuid' in record ? text(record.uuid) : undefined,
    parentUuid: 'parentUuid' in record ? text(record.parentUuid) : undefined,
  };
}
