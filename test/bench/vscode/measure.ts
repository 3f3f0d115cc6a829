// Deft in a real VS Code: every part has a window and a scripted API of its own.
import { endAll } from '../../e2e/support/window';
import { ensureBrowser } from '../../rig/browser';
import { ensureRig, rigUnavailable } from '../../rig/install';
import type { BenchOptions } from '../main';
import type { Report } from '../report';
import { measureActivation } from './activation';
import { measureChats } from './chats';
import { measureConversation } from './conversation';
import { measureEdits } from './edits';
import { measureFiles } from './files';
import { measureLongTurn } from './long-turn';
import { measureReview } from './review';
import { measureSending } from './sending';
import { measureStreams } from './streams';

const parts = {
  activation: measureActivation,
  sending: measureSending,
  conversation: measureConversation,
  edits: measureEdits,
  files: measureFiles,
  'long-turn': measureLongTurn,
  streams: measureStreams,
  chats: measureChats,
  review: measureReview,
};

/** A part that breaks takes only its own rows with it. */
export async function measureVscode(report: Report, options: BenchOptions): Promise<void> {
  const reason = rigUnavailable();
  if (reason) return report.skip('VS Code', 'everything', reason);
  ensureRig();
  ensureBrowser();
  try {
    for (const [name, measure] of Object.entries(parts)) {
      if (options.parts && !options.parts.includes(name)) continue;
      try {
        await measure(report, options);
      } catch (error) {
        report.skip('VS Code', `the rest of ${name}`, error instanceof Error ? error.message : String(error));
      }
    }
  } finally {
    await endAll();
  }
}
