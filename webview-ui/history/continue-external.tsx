// Stands in the composer's place while a session of another program is shown: it is continued in a copy, or taken over from another window.
import { useLayoutEffect, useRef } from 'preact/hooks';
import { post } from '../host/vscode-api';
import { Button } from '../parts/button';
import { chat } from '../state/chat';

export function ContinueExternal() {
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => button.current?.focus(), []);
  return (
    <div class="continue-external">
      <Button
        kind="primary"
        label="Continue in a copy"
        title="Continue in a Deft session; this one stays unchanged"
        buttonRef={button}
        onClick={() => post({ type: 'continueExternal' })}
      />
      {chat.facts.value.external?.takeOver && (
        <Button
          kind="secondary"
          label="Take over"
          title="Continue with this session here; the other window closes it, and stops what runs in it"
          onClick={() => post({ type: 'takeOver' })}
        />
      )}
    </div>
  );
}
