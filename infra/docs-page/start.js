/*
 * Runs in the browser, after Scalar's own script and the guides. The key stays in the tab's memory; nothing leaves this
 * origin.
 */
import { withHarmlessExamples } from './harmless-examples.ts';
import { startSearch } from './search-box.js';

const { MutationObserver, Scalar, guides, location, document, matchMedia, setTimeout } = globalThis;

/** The address of the local stack, which the guides call. */
const GUIDES_CALL = 'http://127.0.0.1:4000';
/** On wider screens Scalar shows the answer next to the request. */
const ANSWER_IS_BELOW = '(max-width: 1279px)';
const RENDERED_MILLISECONDS = 200;

/**
 * The document with the guides before the reference. A key is required in every call: OpenAPI cannot express that some
 * operations also take it in the body, and allows the header to be absent there.
 */
async function loadContent() {
  const content = withHarmlessExamples(await (await fetch('/openapi.json')).json());
  const security = [{ ApiKey: [] }];
  for (const { post } of Object.values(content.paths)) if (post) post.security = security;
  // Hidden from client generators, not from readers.
  for (const { post } of Object.values(content.webhooks)) delete post['x-internal'];
  const description = [
    guides.replaceAll(GUIDES_CALL, location.origin),
    '# Every call',
    content.info.description,
    'For generators: [/openapi.json](/openapi.json). For language models: [/llms.txt](/llms.txt).',
  ].join('\n\n');
  return { ...content, info: { ...content.info, description }, security };
}

function showAnswer() {
  if (!matchMedia(ANSWER_IS_BELOW).matches) return;
  setTimeout(() => {
    const answer = document.querySelector('[role="dialog"] section[aria-label="Response"]');
    answer?.scrollIntoView({ behavior: 'smooth', block: 'start' });
  }, RENDERED_MILLISECONDS);
}

/**
 * Scalar breaks words in tables anywhere: on a phone, a column of statuses has one letter per line. On a wide screen it
 * leaves half of the screen empty. A wide table scrolls by itself, and code is wrapped, so that neither moves the page
 * sideways. The colors have the contrast of WCAG AA, 4.5. With jobs in two columns, the welcome and its code fit in the
 * first one; there is room for a two-digit number between the columns.
 */
const customCss = `
  @media (min-width: 1000px) {
    .introduction-section { padding-top: 0 !important; }
    .introduction-description { margin-top: 0 !important; }
    .introduction-description-heading:nth-child(2) ol {
      display: grid !important; grid-auto-flow: column; grid-template-rows: repeat(5, auto); column-gap: 32px;
      font-size: 14px !important;
    }
    .introduction-description-heading:nth-child(2) pre, .introduction-description-heading:nth-child(2) pre * {
      font-size: 12px !important; line-height: 1.45 !important;
    }
  }
  .markdown table { table-layout: auto !important; display: block !important; max-width: 100%; overflow-x: auto; }
  .markdown pre code, .markdown pre code * { white-space: pre-wrap !important; overflow-wrap: anywhere !important; }
  .markdown pre code { overflow: visible !important; max-height: none !important; }
  .light-mode {
    --scalar-color-2: #5c5c5c; --scalar-color-3: #666; --scalar-color-green: #00704a; --scalar-color-orange: #b33c00;
  }
  .dark-mode { --scalar-color-3: #a0a0a0; }
  .markdown :is(th, td) { overflow-wrap: normal !important; word-break: normal !important; }
`;

/** Lets readers without a mouse scroll a wide table by keyboard. */
const reach = () => {
  for (const table of document.querySelectorAll('.markdown table:not([tabindex])')) table.tabIndex = 0;
};
new MutationObserver(reach).observe(document.querySelector('#reference'), { childList: true, subtree: true });

const content = await loadContent();
startSearch(content.info.description, content);
Scalar.createApiReference('#reference', {
  content,
  // Scalar's search covers only the titles of what it lists; the field above finds texts too.
  hideSearch: true,
  // Whatever name the deployment is called by, calls go to the origin of the page.
  servers: [{ url: location.origin, description: 'This deployment.' }],
  authentication: { preferredSecurityScheme: 'ApiKey' },
  onResponseReceived: showAnswer,
  customCss,
  operationTitleSource: 'summary',
  defaultOpenAllTags: true,
  // The download would be the document as changed here.
  documentDownloadType: 'none',
  hideModels: true,
  hideClientButton: true,
  persistAuth: false,
  telemetry: false,
  withDefaultFonts: false,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
});
