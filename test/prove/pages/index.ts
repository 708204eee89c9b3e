import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStack } from '../../../infra/local/stack.ts';
import { launchBrowser } from '../browser.ts';
import { Company } from './company.ts';
import { type Journey, journeys } from './journeys.ts';
import { recordStates, walkRecords, walkStates } from './states.ts';
import { type Device, Visitor } from './visitor.ts';
import { playWave } from './wave.ts';

const PHONE = { name: 'phone', width: 390, height: 844 };
const DESKTOP = { name: 'desktop', width: 1440, height: 900 };

/** Each device with and without script in both languages; light and dark in turn. */
const devices: readonly Device[] = [PHONE, DESKTOP].flatMap((size, index) =>
  [true, false].flatMap((hasScript) =>
    (['en', 'es'] as const).map((language): Device => {
      const isLight = (index === 0) === hasScript ? language === 'en' : language === 'es';
      return { ...size, hasScript, language, scheme: isLight ? 'light' : 'dark' };
    }),
  ),
);

const describeDevice = ({ name, hasScript, language, scheme }: Device): string =>
  `${name}, ${hasScript ? 'script' : 'no script'}, ${language}, ${scheme}`;

/**
 * The pages of clients in a browser: each journey on phone and desktop, with and without script, in both languages, with
 * axe on every page and state, every state of every page, and a wave of strangers on the booking page. `--pictures
 * <folder>` keeps a picture of each; `--device "phone, script, en"` plays the devices whose description begins so.
 */
export async function pages(options: readonly string[]): Promise<boolean> {
  const valueOf = (option: string) => (options.includes(option) ? options[options.indexOf(option) + 1] : undefined);
  const pictures = valueOf('--pictures');
  const played = devices.filter((device) => describeDevice(device).startsWith(valueOf('--device') ?? ''));
  const browser = await launchBrowser('pages');
  if (!browser) return false;
  if (pictures) await mkdir(pictures, { recursive: true });
  const folder = await mkdtemp(join(tmpdir(), 'pages-'));
  const stack = await startStack({ folder: join(folder, 'data'), port: 0, quiet: true });
  const examined = new Set<string>();
  let findings = 0;
  try {
    const company = await Company.open(stack);
    const records = await recordStates(company);
    const walks: Readonly<Record<string, Journey>> = {
      ...journeys,
      records: (visitor) => walkRecords(visitor, records),
      states: async (visitor) => (visitor.device.hasScript ? walkStates(visitor, stack.baseUrl) : undefined),
    };
    for (const device of played) {
      const visitor = await Visitor.arrive(browser, { device, baseUrl: stack.baseUrl, pictures, examined });
      for (const [name, journey] of Object.entries(walks))
        await journey(visitor, company).catch((error: unknown) => visitor.findings.push(`${name}: ${String(error)}`));
      await visitor.leave();
      const result = visitor.findings.length ? visitor.findings.join('\n  ') : 'nothing found';
      process.stdout.write(`pages: ${describeDevice(device)}: ${visitor.looks} states: ${result}\n`);
      findings += visitor.findings.length;
    }
    findings += (await playWave(company, join(folder, 'data'))).length;
  } finally {
    await browser.close();
    await stack.stop();
    await rm(folder, { recursive: true, force: true });
  }
  return findings === 0;
}
