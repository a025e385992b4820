/** A JSON-RPC message as it came. */
export type Message = Readonly<Record<string, unknown>>;

/** Hears the messages of an answer as they come, as JSON or as events, until it ends or the host has left. */
export async function eventsIn(
  { headers, body }: Response,
  left: AbortSignal,
  hear: (message: Message) => void,
): Promise<void> {
  if (body === null) return;
  const isStream = headers.get('content-type')?.startsWith('text/event-stream') === true;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  left.addEventListener('abort', () => void reader.cancel().catch(() => undefined), { once: true });
  let text = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    text += value;
    if (!isStream) continue;
    const events = text.split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) hearEvent(event, hear);
  }
  if (!isStream && text !== '') hear(JSON.parse(text) as Message);
}

function hearEvent(event: string, hear: (message: Message) => void): void {
  const data = event
    .split('\n')
    .flatMap((line) => (line.startsWith('data:') ? [line.slice('data:'.length).trim()] : []));
  const text = data.join('\n');
  if (text !== '') hear(JSON.parse(text) as Message);
}
