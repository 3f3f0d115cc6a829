// The line below an approval: Enter rejects with these words.

export interface FeedbackProps {
  value: string;
  placeholder: string;
  title: string;
  onInput: (text: string) => void;
  onEnter: () => void;
}

export function Feedback({ value, placeholder, title, onInput, onEnter }: FeedbackProps) {
  return (
    <input
      class="input approval-feedback"
      type="text"
      aria-label="Tell the agent why"
      placeholder={placeholder}
      title={title}
      value={value}
      onInput={(event) => onInput(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || event.isComposing || event.altKey || value.trim() === '') return;
        event.preventDefault();
        onEnter();
      }}
    />
  );
}
