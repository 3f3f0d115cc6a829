// What an MCP server asks of the user: a form, a page to open, or a question to the model.
import { useEffect, useRef, useState } from 'preact/hooks';
import { type McpRequest, type McpRequestField } from '../../src/shared/mcp-view';
import type { MessageInput } from '../../src/shared/protocol';
import { decided, settle, settling, takeDecisionBack } from '../approvals/decide';
import { focusComposer } from '../state/draft';
import { request as ask } from '../host/vscode-api';
import { Button } from '../parts/button';
import { announce } from '../state/announce';
import { chat } from '../state/chat';
import { halfForm, keepForm } from '../state/half-made';
import { contentOf, type Filled, firstValues, problemOf } from '../forms/request-fields';

type Answer = MessageInput<'answerMcp'>['answer'];

/** The oldest that waits, once no approval and no question does. */
export function McpRequestDock() {
  const { approvals, questions, mcpRequests } = chat.facts.value;
  const request = approvals.length === 0 && questions.length === 0 ? mcpRequests[0] : undefined;
  const shownId = request?.id;
  useEffect(() => {
    if (request) announce(`${titleOf(request)}: ${request.message}`);
  }, [shownId]);
  return request ? <RequestCard key={request.id} request={request} /> : null;
}

function titleOf({ kind, server }: McpRequest): string {
  if (kind === 'url') return `The server ${server} wants you to open a page`;
  return kind === 'form' ? `The server ${server} asks you` : `The server ${server} wants to ask the model`;
}

function RequestCard({ request }: { request: McpRequest }) {
  const { id, server } = request;
  const fields = request.kind === 'form' ? request.fields : [];
  const [filled, setFilled] = useState<Filled>(() => halfForm(id) ?? firstValues(fields));
  const [checked, setChecked] = useState(false);
  const card = useRef<HTMLDivElement>(null);
  const closed = decided.value.has(id) || settling.value;
  const title = titleOf(request);

  const fill = (next: Filled) => {
    setFilled(next);
    keepForm(id, next);
  };
  const send = (answer: Answer) => {
    if (closed) return;
    const inCard = card.current?.contains(document.activeElement) === true;
    settle(id);
    ask('answerMcp', { requestId: id, answer }).catch(() => takeDecisionBack(id));
    if (inCard) focusComposer();
  };
  const accept = () => {
    const wrong = fields.findIndex((field) => problemOf(field, filled[field.name]) !== undefined);
    if (wrong < 0) return send({ action: 'accept', content: contentOf(fields, filled) });
    setChecked(true);
    card.current
      ?.querySelectorAll<HTMLElement>('.request-field')
      [wrong]?.querySelector<HTMLElement>('input, select')
      ?.focus();
  };

  return (
    <div
      class="question request"
      role="group"
      aria-label={title}
      ref={card}
      onKeyDown={(event) => {
        if (event.isComposing) return;
        if (event.key === 'Escape') send({ action: 'cancel' });
        else if (
          event.key === 'Enter' &&
          event.target instanceof HTMLInputElement &&
          event.target.type !== 'checkbox' &&
          event.target.type !== 'radio'
        )
          accept();
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      <h2 class="question-title">{title}</h2>
      <div class="request-message">{request.message}</div>
      {request.kind === 'form' && (
        <div class="quiet">The answer goes to “{server}”. Do not enter a password that you use elsewhere.</div>
      )}
      {request.kind === 'url' && (
        <code class="request-url" tabIndex={0}>
          {request.url}
        </code>
      )}
      {request.kind === 'sampling' && (
        <div class="quiet">The model’s reply goes to “{server}”. It counts as a request of yours.</div>
      )}
      {fields.length > 0 && (
        <div class="request-fields">
          {fields.map((field) => (
            <Field
              key={field.name}
              id={`request-${id}-${field.name}`}
              field={field}
              value={filled[field.name]}
              problem={checked ? problemOf(field, filled[field.name]) : undefined}
              onChange={(value) => fill({ ...filled, [field.name]: value })}
            />
          ))}
        </div>
      )}
      <div class="buttons">
        <Button kind="primary" label={acceptLabel(request)} disabled={closed} onClick={accept} />
        <Button
          label="Decline"
          title="Decline: the server learns that you do not want to"
          disabled={closed}
          onClick={() => send({ action: 'decline' })}
        />
        <Button
          kind="quiet"
          label="Cancel"
          hint="Esc"
          title="Close without an answer (Esc)"
          disabled={closed}
          onClick={() => send({ action: 'cancel' })}
        />
      </div>
    </div>
  );
}

function acceptLabel({ kind }: McpRequest): string {
  if (kind === 'url') return 'Open page';
  return kind === 'form' ? 'Send' : 'Allow';
}

interface FieldProps {
  id: string;
  field: McpRequestField;
  value: Filled[string] | undefined;
  problem: string | undefined;
  onChange: (value: Filled[string]) => void;
}

function Field({ id, field, value, problem, onChange }: FieldProps) {
  const label = `${field.title}${field.required ? ' (required)' : ''}`;
  return (
    <div class="request-field">
      <FieldInput id={id} label={label} field={field} value={value} problem={problem} onChange={onChange} />
      {field.description !== '' && (
        <div class="quiet" id={`${id}-detail`}>
          {field.description}
        </div>
      )}
      {problem !== undefined && (
        <div class="field-problem" role="alert" id={`${id}-problem`}>
          {problem}
        </div>
      )}
    </div>
  );
}

function FieldInput({ id, label, field, value, problem, onChange }: FieldProps & { label: string }) {
  const described = {
    'aria-describedby': `${id}-detail ${id}-problem`,
    'aria-invalid': problem !== undefined,
  } as const;
  if (field.type === 'boolean') {
    return (
      <label class="choice">
        <input
          type="checkbox"
          {...described}
          checked={value === true}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
        <span>{field.title}</span>
      </label>
    );
  }
  if (field.type === 'choice' || field.type === 'choices') {
    const many = field.type === 'choices';
    const chosen = Array.isArray(value) ? (value as readonly string[]) : [value];
    const choose = (one: string) =>
      onChange(
        !many
          ? one
          : chosen.includes(one)
            ? (chosen as readonly string[]).filter((other) => other !== one)
            : [...(chosen as readonly string[]), one],
      );
    return (
      <div role={many ? 'group' : 'radiogroup'} aria-label={label} {...described}>
        <div>{label}</div>
        {field.choices.map((choice) => (
          <label class="choice" key={choice.value}>
            <input
              type={many ? 'checkbox' : 'radio'}
              name={id}
              checked={chosen.includes(choice.value)}
              onChange={() => choose(choice.value)}
            />
            <span>{choice.label}</span>
          </label>
        ))}
      </div>
    );
  }
  return (
    <label class="field">
      <span>{label}</span>
      <input
        class="input"
        type="text"
        inputMode={field.type === 'text' ? 'text' : 'decimal'}
        {...described}
        value={typeof value === 'string' ? value : ''}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
    </label>
  );
}
