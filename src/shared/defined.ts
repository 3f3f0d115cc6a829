// Optional fields of an object literal: `{ ...defined({ title }) }` has no `title` where it is undefined.

/** Fields that may be undefined become optional and are never present as undefined. */
export type Defined<Fields> = {
  [Name in keyof Fields as undefined extends Fields[Name] ? never : Name]: Fields[Name];
} & {
  [Name in keyof Fields as undefined extends Fields[Name] ? Name : never]?: Exclude<Fields[Name], undefined>;
};

/** A copy without the fields whose value is undefined, as `exactOptionalPropertyTypes` wants optional fields. */
export function defined<Fields extends object>(fields: Fields): Defined<Fields> {
  const copy: Record<string, unknown> = {};
  for (const name in fields) if (fields[name] !== undefined) copy[name] = fields[name];
  return copy as Defined<Fields>;
}
