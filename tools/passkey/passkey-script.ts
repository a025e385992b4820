/**
 * The script of the page that shows the passkey iframe. It opens a session in it, has it run the ceremony, and hands its result to
 * Purser. What any other window says is not heard, and nothing is said to one.
 */
export const passkeyScript = `import { look, take, show, say, start, showEnd, showGone } from "/act/page.js";

const stage = document.getElementById('stage');
/** How long the service may be silent before the customer hears of it. */
const patience = 20_000;

/** The device, by a name that this browser keeps: the platform knows its passkeys by it. */
function device() {
  const made = () => Array.from(crypto.getRandomValues(new Uint8Array(24)), (byte) => String.fromCharCode(97 + (byte % 26))).join('');
  try {
    const known = localStorage.getItem('device') ?? made();
    localStorage.setItem('device', known);
    return known;
  } catch {
    return made(); // a browser that keeps nothing
  }
}

function end(title, text) {
  stage.replaceChildren();
  say('');
  show(title, text);
}

async function hand(message, approval) {
  stage.replaceChildren();
  say('One moment.');
  try {
    const taken = await take({ message, approval });
    say('');
    if (taken.outcome === 'done') return showEnd(taken.says);
    end('It is not confirmed', [taken.says]);
    if (taken.isOpen) offerAgain();
  } catch (error) {
    say('');
    if (error.status === 404) return showGone();
    end('It is not confirmed', [error.message]);
    offerAgain();
  }
}

/** Everything begins again with a button that the customer presses. */
function offerAgain() {
  const again = stage.appendChild(document.createElement('button'));
  again.type = 'button';
  again.className = 'yes';
  again.textContent = 'Try again';
  again.addEventListener('click', () => location.reload());
}

function open({ address, begin, approval }) {
  const { origin } = new URL(address);
  const frame = document.createElement('iframe');
  frame.title = 'Your passkey';
  frame.referrerPolicy = 'origin';
  frame.allow = 'publickey-credentials-create ' + origin + '; publickey-credentials-get ' + origin;
  let requestID;
  let isTaken = false;
  let silence;
  const listen = () => {
    clearTimeout(silence);
    silence = setTimeout(() => {
      end('The passkey service does not answer', ['Nothing was sent. Check your connection.']);
      offerAgain();
    }, patience);
  };
  const tell = (message) => frame.contentWindow.postMessage({ requestID, version: '1', ...message }, origin);
  const complete = (message) => {
    if (isTaken) return;
    isTaken = true;
    hand(message, approval);
  };
  const heard = {
    AUTH_READY: (message) => {
      ({ requestID } = message);
      listen();
      tell({ type: 'CREATE_AUTH_SESSION', client: { id: device() } });
    },
    AUTH_SESSION_CREATED: () => {
      clearTimeout(silence);
      tell(begin);
    },
    AUTH_COMPLETE: complete,
    AUTH_SUCCESS: complete,
    RESULT: complete,
    AUTH_FAILED: () => {
      clearTimeout(silence);
      say('That did not work. Nothing was confirmed. You can try again.');
    },
    AUTH_NOT_SUPPORTED: () =>
      end('This browser has no passkeys', ['Open the link in another browser, or on your telephone.']),
  };
  // Released iframes name the request in no failure. The first message tells its id.
  const unnamed = ['AUTH_FAILED', 'AUTH_NOT_SUPPORTED'];
  const isOwn = (message) => {
    if (message.requestID === undefined) return unnamed.includes(message.type);
    return message.requestID === requestID || (requestID === undefined && message.type === 'AUTH_READY');
  };
  addEventListener('message', ({ data, origin: from, source }) => {
    if (from !== origin || source !== frame.contentWindow || typeof data?.type !== 'string') return;
    if (!isOwn(data)) return;
    if (Object.hasOwn(heard, data.type)) heard[data.type](data);
  });
  listen();
  frame.src = address;
  stage.replaceChildren(frame);
}

start(({ title, text, given }) => {
  show(title, text);
  open(given);
});
`;
