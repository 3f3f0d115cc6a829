// Reads line and version out of a model's id, however a provider writes it: "us.anthropic.claude-opus-4-6-v1" is Opus 4.6.

export const modelLines = ['fable', 'mythos', 'opus', 'sonnet', 'haiku'] as const;
export type ModelLine = (typeof modelLines)[number];

export interface ModelVersion {
  line: ModelLine;
  /** Compares: 5.5 is 505, 4.10 is 410. A date after the version is none of it. */
  version: number;
}

/** Asked for every message of every request, with a handful of ids. */
const read = new Map<string, ModelVersion | undefined>();
const mostRead = 100;

/** Undefined where the id follows no such pattern: local models, and those of before 4, which put the version first. */
export function modelVersion(model: string): ModelVersion | undefined {
  if (read.has(model)) return read.get(model);
  if (read.size >= mostRead) read.clear();
  const version = readVersion(model);
  read.set(model, version);
  return version;
}

function readVersion(model: string): ModelVersion | undefined {
  const match = /(fable|mythos|opus|sonnet|haiku)-(\d{1,2})(?!\d)(?:[-.](\d{1,2})(?!\d))?/i.exec(model);
  const line = modelLines.find((one) => one === match?.[1]?.toLowerCase());
  return match === null || line === undefined
    ? undefined
    : { line, version: Number(match[2]) * 100 + Number(match[3] ?? 0) };
}
