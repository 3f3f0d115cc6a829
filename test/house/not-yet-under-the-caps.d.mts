/** Paths of files by the rule that is off in them. */
export const notYetUnderTheCaps: Readonly<Record<string, readonly string[]>>;
