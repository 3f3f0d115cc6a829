// Picks the model for users who have not picked one: the newest Opus that their account lists.
import { type ModelInfo } from '../ports/model';

/** Undefined where no Opus is listed. Version numbers count, not dates: `claude-opus-4-10` is newer than `claude-opus-4-9`. */
export function newestOpus(models: readonly ModelInfo[]): string | undefined {
  return models
    .flatMap(({ id }) => {
      const version = /^claude-opus-(\d+)(?:-(\d{1,2}))?(?:-\d{8})?$/.exec(id);
      return version === null ? [] : [{ id, rank: Number(version[1]) * 100 + Number(version[2] ?? 0) }];
    })
    .sort((a, b) => b.rank - a.rank)[0]?.id;
}
