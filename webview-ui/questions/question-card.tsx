// One request of the agent: its questions page by page, and the buttons that answer or close them.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type QuestionRequest } from '../../src/shared/question';
import { decided, settle, settling, takeDecisionBack } from '../approvals/decide';
import { focusComposer } from '../state/draft';
import { request as ask } from '../host/vscode-api';
import { Button } from '../parts/button';
import { halfAnswer, keepAnswer } from '../state/half-made';
import { answerOf, answersOf, noChoice, type Choice } from '../forms/choices';
import { focusOptions } from './focus';
import { Options } from './options';
import { Preview } from './preview';

type Answer = { behavior: 'answered'; answers: Record<string, string> } | { behavior: 'dismissed' };

export function QuestionCard({ request }: { request: QuestionRequest }) {
  const { id, questions, closeLabel = 'Dismiss' } = request;
  const [half] = useState(() => halfAnswer(id, questions.length));
  const [page, setPage] = useState(half?.page ?? 0);
  const [choices, setChoices] = useState<readonly Choice[]>(half?.choices ?? questions.map(() => noChoice));
  useEffect(() => {
    if (page > 0 || choices.some((one) => one !== noChoice)) keepAnswer(id, { page, choices });
  }, [page, choices]);
  const [seen, setSeen] = useState<string>();
  const card = useRef<HTMLDivElement>(null);
  const turned = useRef(false);
  useLayoutEffect(() => {
    if (turned.current) focusOptions(card.current);
    turned.current = false;
  }, [page]);

  const question = questions[page];
  const choice = choices[page];
  if (!question || !choice) return null;
  const closed = decided.value.has(id) || settling.value;
  const last = page === questions.length - 1;
  const answered = answerOf(choice, question) !== undefined;

  const turn = (to: number) => {
    turned.current = holdsFocus(card.current);
    setSeen(undefined);
    setPage(to);
  };
  const send = (answer: Answer) => {
    if (closed) return;
    const inCard = holdsFocus(card.current);
    settle(id);
    ask('answer', { questionId: id, answer }).catch(() => takeDecisionBack(id));
    if (inCard) focusComposer();
  };
  const change = (next: Choice) => setChoices(choices.map((one, index) => (index === page ? next : one)));
  /** With what was chosen just now, which is not drawn yet. */
  const goOn = (now: Choice = choice) => {
    const all = choices.map((one, index) => (index === page ? now : one));
    if (answerOf(now, question) === undefined || closed) return;
    if (!last) return turn(page + 1);
    send({ behavior: 'answered', answers: answersOf(all, questions) });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.isComposing) return;
    event.preventDefault();
    send({ behavior: 'dismissed' });
  };

  return (
    <div class="question" role="group" aria-label={`Question: ${question.question}`} ref={card} onKeyDown={onKeyDown}>
      <div class="question-head">
        <span class="quiet">{question.header}</span>
        {questions.length > 1 && (
          <span class="quiet question-count">
            {page + 1} of {questions.length}
          </span>
        )}
      </div>
      <h2 class="question-title">{question.question}</h2>
      <div class="question-body">
        <Options
          key={page}
          name={`question-${id}-${page}`}
          question={question}
          choice={choice}
          onChange={change}
          onSeen={setSeen}
          onGoOn={(now) => {
            change(now);
            goOn(now);
          }}
        />
        <Preview question={question} label={seen ?? choice.labels[0]} />
      </div>
      <QuestionButtons
        first={page === 0}
        last={last}
        answered={answered}
        closed={closed}
        closeLabel={closeLabel}
        onGoOn={() => goOn()}
        onBack={() => turn(page - 1)}
        onClose={() => send({ behavior: 'dismissed' })}
      />
    </div>
  );
}

interface QuestionButtonsProps {
  first: boolean;
  last: boolean;
  /** The question that is shown. */
  answered: boolean;
  /** Answered or dismissed as a whole: nothing can be pressed any more. */
  closed: boolean;
  closeLabel: string;
  onGoOn: () => void;
  onBack: () => void;
  onClose: () => void;
}

function QuestionButtons(props: QuestionButtonsProps) {
  const { first, last, answered, closed, closeLabel } = props;
  return (
    <div class="buttons">
      <Button
        kind="primary"
        label={last ? 'Answer' : 'Next'}
        hint="⏎"
        title={`${last ? 'Answer' : 'Next question'} (Enter)`}
        disabled={closed || !answered}
        onClick={props.onGoOn}
      />
      {!first && <Button label="Back" title="Previous question" disabled={closed} onClick={props.onBack} />}
      <Button
        label={closeLabel}
        hint="Esc"
        title={`${closeLabel === 'Dismiss' ? 'Close without an answer' : closeLabel} (Esc)`}
        disabled={closed}
        onClick={props.onClose}
      />
    </div>
  );
}

function holdsFocus(card: HTMLElement | null): boolean {
  return card?.contains(document.activeElement) === true;
}
