// The question whether a session may exceed its budget, and what the user's answer allows.
import { headOf } from '../../../shared/cut-text';
import { type Ports } from '../../ports/ports';

const unlimited = 'Continue without a limit';
const stop = 'Stop here';

export type BudgetAnswer = 'on' | 'stop';

interface ExceededBudget {
  /** Dollars so far. It may grow while the user thinks. */
  spent: () => number;
  most: number;
  /** With the request that waits for the answer. */
  next: number;
}

/** Asks until the answer is clear. What the user allows is written before this resolves. */
export async function askToExceed(
  { spent, most, next }: ExceededBudget,
  { ports, write }: { ports: Pick<Ports, 'questioner' | 'uuid'>; write: (limit: string) => void },
  signal: AbortSignal,
): Promise<BudgetAnswer> {
  const more = raised(most, next);
  const on = `Continue up to ${dollars(more)}`;
  for (let before = ''; ;) {
    const id = ports.uuid();
    const question = {
      question: `${before}This session has used ${dollars(spent())} of ${dollars(most)}. The next request would probably exceed it. Continue?`,
      header: 'Budget',
      options: [
        { label: on, description: 'Deft asks again before that limit is exceeded.' },
        { label: unlimited, description: 'Deft will not ask again in this session.' },
        { label: stop, description: 'The turn ends here. What was done so far is kept.' },
      ],
      multiSelect: false,
      otherHint: 'An amount, such as 20',
    };
    const answer = await ports.questioner?.askQuestions(
      { id, toolUseId: id, questions: [question], closeLabel: 'Stop' },
      signal,
    );
    if (answer?.behavior !== 'answered') return 'stop';
    const given = (answer.response ?? answer.answers[question.question] ?? '').trim();
    if (given === '' || given === stop) return 'stop';
    if (given === unlimited) write('none');
    else if (given === on) write(String(more));
    else {
      // An amount in the user's own words.
      const amount = /^(?:go on to )?\$? ?(\d+(?:\.\d+)?) ?(?:\$|dollars?|usd)?\.?$/i.exec(given)?.[1];
      if (amount === undefined) {
        before = `"${headOf(given, 40)}" is not an amount. `;
        continue;
      }
      if (Number(amount) <= most) return 'stop';
      write(amount);
    }
    return 'on';
  }
}

/** The limit doubled until the next request fits. */
function raised(limit: number, next: number): number {
  let more = limit * 2;
  while (more < next) more *= 2;
  return more;
}

export function dollars(amount: number): string {
  return `$${amount.toFixed(2)}`;
}
