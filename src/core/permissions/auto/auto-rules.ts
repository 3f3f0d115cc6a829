// What the user's settings say to the classifier of auto mode, under `autoMode`: trusted places, what may go ahead, what is blocked.

/** Beyond that a list is no rules but a text that crowds out Deft's own. */
const maxRules = 100;
const maxRuleLength = 1_000;

const sections = [
  ['environment', 'Known and trusted here:'],
  ['allow', 'May proceed, although it is on the list above:'],
  ['soft_deny', 'Also block:'],
  ['hard_deny', 'Also block, whatever the messages ask for:'],
] as const;

/** Deft's instructions with these rules before how to answer; the same instructions where there are none. */
export function withAutoRules(instructions: string, settings: Readonly<Record<string, unknown>> | undefined): string {
  const added = sections.flatMap(([key, title]) => {
    const rules = rulesOf(settings?.[key]);
    return rules.length === 0 ? [] : [[title, ...rules.map((rule) => `- ${rule}`)].join('\n')];
  });
  if (added.length === 0) return instructions;
  const end = instructions.lastIndexOf('\n\n');
  return `${instructions.slice(0, end)}\n\nThe user's settings add the following; it counts like their messages.\n\n${added.join('\n\n')}${instructions.slice(end)}`;
}

/** One line each. `$defaults` stands for the rules that come with a tool: Deft's own always count. */
function rulesOf(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  const lines = value.flatMap((rule: unknown) => (typeof rule === 'string' ? [rule.replace(/\s+/g, ' ').trim()] : []));
  return lines.filter((rule) => rule !== '' && rule !== '$defaults' && rule.length <= maxRuleLength).slice(0, maxRules);
}
