// An open session, as its host sees it: its settings, its queue, and the turns that run in it one after the other.
import { type RecordWriter } from '../events/record-writer';
import { type Prompt, type QueuedPrompt } from '../events/steering-queue';
import { type TurnEnd } from '../loop/after-reply';
import { type Ports } from '../ports/ports';
import { type SessionRecord } from '../ports/record';
import { type BackgroundCommand } from '../ports/terminal';
import { type ToolSession } from '../tool/tool';
import { type CommandAnswer } from './feature-command';
import { type FeatureKey } from './feature-key';
import { type EndReason, type SessionChoices, type SessionPermission, type SessionRequests } from './session-parts';
import { type SessionSettings } from './session-settings';

export interface AgentSession {
  readonly id: string;
  readonly settings: SessionSettings;
  readonly records: readonly SessionRecord[];
  readonly ports: Ports;
  /** Where the session stands: folders, what was read, what is hidden. */
  readonly surroundings: Readonly<ToolSession>;
  readonly choices: SessionChoices;
  readonly permission: SessionPermission;
  readonly folders: SessionFolders;
  readonly requests: SessionRequests;
  readonly writer: RecordWriter;
  readonly pending: PendingPrompts;
  readonly turns: TurnState;
  readonly controls: SessionControls;
  /** Undefined where the host has not listed the feature. */
  feature<Api>(key: FeatureKey<Api>): Api | undefined;
  /** Runs one turn to its end; without a prompt it continues where the log ends. Rejects only while another turn runs. */
  run(prompt: Prompt | undefined, signal: AbortSignal): Promise<TurnEnd>;
  /** Waits for the next tool results of the running turn. */
  steer(prompt: Prompt): string;
  /** Goes to the model with the next request, marked as Deft's own. */
  remind(text: string): void;
  /** Once after it was opened: reports what has become of commands in the background. */
  catchUp(): Promise<void>;
  /** Notifies the model with its next request, and the chat now. False where another session started the command. */
  backgroundEnded(command: BackgroundCommand): Promise<boolean>;
  close(reason?: EndReason): Promise<void>;
}

export type AddedFolder = { added: true } | { added: false; message: string };

export interface SessionFolders {
  /** `remember` writes it into the user's own settings of this project too. */
  add(path: string, remember: boolean): Promise<AddedFolder>;
  /** Why `add` would refuse it; undefined where it would not. */
  problem(path: string): Promise<string | undefined>;
  /** The workspace has these folders from now on. */
  changed(folders: readonly string[]): Promise<void>;
}

export interface PendingPrompts {
  /** Messages that the user sent while a turn runs. */
  readonly waiting: readonly QueuedPrompt[];
  /** A report has reached no request yet: a turn without a prompt sends it to the model. */
  readonly owesReport: boolean;
  /** The next request will say something that the model does not know yet. */
  readonly hasReminders: boolean;
  /** Undefined where the message has reached the model already. */
  takeBack(id: string): QueuedPrompt | undefined;
}

/** What the user does with the features of a session other than sending messages. */
export interface SessionControls {
  /** Undefined where no feature has such a command; `text` is what follows its name. */
  run(command: string, text: string): Promise<CommandAnswer | undefined>;
  /** Ends what the chat shows under this id. False where there is no such thing any more. */
  end(id: string): Promise<boolean>;
}

export interface TurnState {
  readonly running: boolean;
  /** The user does not want to wait for the next try of a request. */
  tryNow(): void;
}
