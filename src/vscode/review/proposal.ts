// A proposed change as it waits for the person, in memory and on disk.
import { z } from 'zod/v3';
import { keepLineEndings } from '../../core/edits/line-endings';
import { type ApprovalRequest } from '../../core/ports';

export const proposalSchema = z.object({
  /** The tool_use id: the same after a reload, where the approval is asked for again. */
  id: z.string().min(1),
  path: z.string().min(1),
  uri: z.string().min(1),
  created: z.boolean(),
  original: z.string(),
  proposed: z.string(),
  /** As the person has it now. */
  shown: z.string(),
  /** Milliseconds since the epoch. */
  askedAt: z.number(),
});
export type Proposal = z.infer<typeof proposalSchema>;

/** Undefined for anything else. */
export function parseProposal(value: unknown): Proposal | undefined {
  const parsed = proposalSchema.safeParse(value);
  return parsed.success ? parsed.data : undefined;
}

/** What the person made of the same proposal before a reload is taken over. Undefined for an approval without one. */
export function proposalOf(request: ApprovalRequest, uri: string, earlier: Proposal | undefined, now: number): Proposal | undefined {
  if (request.proposal === undefined) return undefined;
  const { path, base, text } = request.proposal;
  const original = base?.text ?? '';
  const same = earlier !== undefined && earlier.uri === uri && earlier.original === original && earlier.proposed === text;
  return { id: request.toolUseId, path, uri, created: base === undefined, original, proposed: text, shown: same ? earlier.shown : text, askedAt: now };
}

/** The text to write: exactly the proposed one where the person left it alone; an editor knows only one kind of line ending. */
export function acceptedText({ proposed, shown }: Proposal): string {
  const lines = (text: string): string => text.replace(/\r\n|\r/g, '\n');
  return lines(shown) === lines(proposed) ? proposed : keepLineEndings(proposed, shown);
}
