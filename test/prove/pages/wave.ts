import { mapWithConcurrency } from '../../../lib/shared/promises.ts';
import { openForms, startsIn } from '../../support/booking-forms.ts';
import { runTool } from '../../support/cli.ts';
import { openPage, sendForm } from '../../support/pages.ts';
import type { Company } from './company.ts';

const STRANGERS = 200;
const NETWORKS = 16;

/**
 * Strangers book as much as they can; then a client still books by its own link, and one command undoes the wave.
 * Returns what was not so.
 */
export async function playWave(company: Company, dataFolder: string): Promise<string[]> {
  const findings: string[] = [];
  const expect = (isTrue: boolean, finding: string) => void (isTrue || findings.push(finding));
  const since = new Date().toISOString();
  const { service, zip } = company;
  const forms = await openForms(company.bookingLink, { service: service.Id, zip });
  const sent = await mapWithConcurrency(
    Array.from({ length: STRANGERS }, (_, index) => index),
    NETWORKS,
    (index) => forms.send(1 + (index % NETWORKS), { slot: String(forms.starts[index % forms.starts.length]) }),
  );
  const booked = sent.filter(({ status }) => status === 200).length;
  const others = new Set(sent.map(({ status }) => status).filter((status) => status !== 200 && status !== 409));
  expect(booked > 0, 'no stranger could book');
  expect(others.size === 0, `forms were answered ${[...others].join(', ')}`);

  const { BookingUrl } = await company.contact();
  const chosen = `${BookingUrl}?service=${service.Id}`;
  const [slot] = startsIn(await openPage(chosen));
  const own = await sendForm(BookingUrl ?? '', await openPage(`${chosen}&slot=${slot}`), 'book', {});
  expect(own.text.includes('Your visit is booked'), `a client cannot book: ${own.status}`);

  process.env['FS_DATA'] = dataFolder;
  const bookings = async (...words: string[]) => {
    const { stdout } = await runTool(['bookings', ...words, '--since', since, '--json']);
    return JSON.parse(stdout) as { Canceled: number; Networks: { Visits: number; Canceled: number }[] };
  };
  const { Canceled: canceled } = await bookings('undo', '--all');
  expect(canceled === booked, `${canceled} of ${booked} visits of the wave were undone`);
  const { Networks } = await bookings('list');
  const left = Networks.filter(({ Visits, Canceled }) => Visits !== Canceled).length;
  expect(left === 0, `${left} networks have visits that were not undone`);
  const result = findings.length ? findings.join('\n  ') : 'nothing found';
  process.stdout.write(`pages: wave of ${STRANGERS} strangers: ${booked} booked, ${canceled} undone: ${result}\n`);
  return findings;
}
