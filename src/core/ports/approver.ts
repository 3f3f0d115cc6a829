// Approvals: what the user is asked before a call runs, and what they may answer.
import {
  type Access,
  type CallRisk,
  type PermissionRuleValue,
  type PermissionSuggestion,
  type PermissionUpdate,
} from '../../shared/permission';
import { type ToolView } from '../../shared/tool-view';
import { type TextFile } from './files';
import { type Path } from './path';

/** A file change before anybody approved it. */
export interface FileProposal {
  path: Path;
  /** Undefined where the file is new. */
  base: TextFile | undefined;
  text: string;
  /** Where the file is now, if it moves to `path`; `base` is what it says there. */
  movedFrom?: Path;
  /** Set where both texts are only part of the file, such as a notebook's cell: a name for it whose extension shows the language. */
  shownAs?: Path;
  /** Further files that are changed with it or not at all; none of them has others of its own. */
  others?: readonly FileProposal[];
}

/** A plan of the agent, kept in a file that the user may change before they accept it. */
export interface PlanProposal {
  file: Path;
}

export interface ApprovalRequest {
  id: string;
  toolUseId: string;
  toolName: string;
  /** What the tool may do at most. */
  access?: Access;
  /** "Edit src/a.ts", "Bash npm test": follows "Approve: ". */
  title: string;
  view: ToolView;
  /** What the agent says the call is for, in one line. */
  description?: string;
  /** A sentence: why Deft asks. */
  reason: string;
  /** The same for somebody who knows no rules, where that differs. */
  plainReason?: string;
  /** The gravest first. */
  risks?: CallRisk[];
  /** Where it runs or leads, unless that is plain: "Runs in /w/sub". */
  place?: string;
  /** A file that it names, or that a link leads to, outside all folders of the session. */
  outside?: Path;
  suggestions: PermissionSuggestion[];
  /** The narrowest allow rules known after which the call would run unasked; absent where no rule can answer the question. */
  coveredBy?: PermissionRuleValue[];
  /** For a refusal: which commands of a line it is about, as a sentence. */
  parts?: string;
  /** The agent whose call it is; undefined for the conversation's own. */
  agent?: { id: string; name: string };
  /** The user asks for it, not a call. */
  byUser?: true;
  proposal?: FileProposal;
  plan?: PlanProposal;
  /** What the tool would get, but for credentials; for a host that asks a program. */
  input?: unknown;
}

export type ApprovalDecision =
  | {
      behavior: 'allow';
      /** The proposal's text as the user left it. */
      text?: string;
      /** The same for its other files, by path. */
      texts?: Readonly<Record<Path, string>>;
      /** What the tool is to get instead: judged again. */
      input?: Record<string, unknown>;
      /** Passed on to the model after the result. */
      comment?: string;
      updates?: PermissionUpdate[];
      /** Nobody answered: what was granted meanwhile covers it. */
      covered?: boolean;
    }
  /** `unasked`: the host decided, since nobody could be asked. */
  | { behavior: 'deny'; message?: string; interrupt: boolean; unasked?: boolean };

/** Asks the user. Headless denies, with a message that names the rule to add. */
export interface Approver {
  /** `stillNeeded` turns false once a rule that was granted meanwhile covers this call too. */
  ask(request: ApprovalRequest, signal: AbortSignal, stillNeeded: () => boolean): Promise<ApprovalDecision>;
}
