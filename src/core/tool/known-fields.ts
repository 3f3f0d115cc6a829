// Input that the model did not write, a hook's or that of another program's log: fields that no tool has are left out of it.
import { type ZodError } from 'zod/v3';
import { type AnyTool } from './tool';

export type KnownInput =
  | { ok: true; input: unknown; /** Places of what was left out, as in `todos.0.id`. */ dropped: string[] }
  | { ok: false; error: ZodError };

type Place = readonly (string | number)[];

/** What is unknown inside of something else shows only once that fits: no schema here is deeper. */
const maxPasses = 5;

/** Fails with what is wrong apart from unknown fields, wherever these stand. */
export function parseKnownFields({ inputSchema }: Pick<AnyTool, 'inputSchema'>, input: unknown): KnownInput {
  const dropped: string[] = [];
  let rest = input;
  for (let pass = 0; ; pass++) {
    const parsed = inputSchema.safeParse(rest);
    if (parsed.success) return { ok: true, input: parsed.data as unknown, dropped };
    const unknown = unknownFields(parsed.error);
    const fewer = unknown.reduce(withoutField, rest);
    if (fewer === rest || pass === maxPasses) return { ok: false, error: parsed.error };
    dropped.push(...unknown.map((place) => place.join('.')));
    rest = fewer;
  }
}

function unknownFields(error: ZodError): Place[] {
  return error.issues.flatMap((issue): Place[] => {
    if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => [...issue.path, key]);
    if (issue.code !== 'invalid_union') return [];
    // A field that one form lacks another may have: only where a form wants nothing else.
    const form = issue.unionErrors.find(({ issues }) =>
      issues.every(({ code }) => code === 'unrecognized_keys' || code === 'invalid_union'),
    );
    return form === undefined ? [] : unknownFields(form);
  });
}

/** The value itself where nothing stands there. */
function withoutField(value: unknown, [step, ...rest]: Place): unknown {
  if (step === undefined || typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return value;
  const inner = (value as Record<string | number, unknown>)[step];
  if (rest.length === 0) return Object.fromEntries(Object.entries(value).filter(([name]) => name !== String(step)));
  const changed = withoutField(inner, rest);
  if (changed === inner) return value;
  if (Array.isArray(value)) return value.map((item: unknown, index) => (index === step ? changed : item));
  return { ...value, [step]: changed };
}
