import type { Visit } from './appointments.ts';
import type { Bill } from './invoices.ts';
import type { Offer } from './proposals.ts';

/** Who it is about: an e-mail address of contacts.csv, without its domain. */
type Of<What> = readonly [contact: string, what: What];

/**
 * The last weeks of the demo and its next two. Days count from the day it is made, so that it is always of now; none
 * of it hangs on a season, so that it can be made on any day of the year.
 */
export const visits: readonly Of<Visit>[] = [
  // Richmond
  [
    'simon.jansen',
    {
      service: 'Gutter Cleaning',
      booked: -24,
      day: -20,
      time: '8:00',
      notes: 'The downspout by the garage is clogged.',
      done: {
        late: 5,
        took: 85,
        tip: 15,
        paid: [{ after: 0, method: 'Card', reference: 'Visa 4242' }],
        feedback: { Score: 10, Note: 'Spotless, and the clogged downspout runs again.' },
      },
    },
  ],
  [
    'imani.kaplan',
    {
      service: 'Gutter Cleaning',
      booked: -21,
      day: -17,
      time: '10:00',
      addOns: [{ Part: { Name: 'Downspout repair' }, Quantity: 1 }],
      done: { took: 120, paid: [{ after: 2, method: 'Check', reference: 'No. 2041' }] },
    },
  ],
  [
    'ursula.fischer',
    {
      service: 'Window Cleaning',
      booked: -19,
      day: -14,
      time: '9:00',
      quantity: 24,
      done: {
        late: -10,
        took: 130,
        feedback: { Score: 8, Note: 'Very good. Next time please call when you set off.' },
        paid: [
          { after: 0, method: 'Check', reference: 'No. 771', part: 0.5 },
          { after: 4, method: 'Check', reference: 'No. 774' },
        ],
      },
    },
  ],
  [
    'chen.ellis',
    {
      service: 'Leaf Removal',
      booked: -15,
      day: -12,
      time: '13:00',
      quantity: 3,
      done: { took: 175, tip: 10, paid: [{ after: 0, method: 'Cash' }] },
    },
  ],
  [
    'kevin.archer',
    {
      service: 'Free Estimate',
      booked: -13,
      day: -9,
      time: '14:00',
      notes: 'Aeration, front and back.',
      done: { late: 10, took: 40 },
    },
  ],
  [
    'frank.coleman',
    {
      service: 'Leaf Removal',
      booked: -11,
      day: -7,
      time: '8:00',
      quantity: 4,
      done: { took: 230, feedback: { Score: 4, Note: 'The strip along the fence was left out.', ContactMe: true } },
    },
  ],
  [
    'isaac.obrien',
    {
      service: 'Gutter Cleaning',
      booked: -12,
      day: -5,
      time: '9:00',
      canceled: { day: -6, reason: 'Weather', note: 'Storm warning all day; calls when it is over.' },
    },
  ],
  ['brenda.montoya', { service: 'Window Cleaning', booked: -4, day: 3, time: '10:00', quantity: 18 }],
  ['rosa.obrien', { service: 'Leaf Removal', booked: -2, day: 5, time: '13:00', quantity: 2, state: 'tentative' }],
  [
    'mario.abbott',
    { service: 'Sprinkler Winterization', booked: -3, day: 6, time: '9:00', quantity: 6, state: 'queued' },
  ],
  // Denver
  [
    'karl.olsen',
    {
      service: 'Gutter Cleaning',
      booked: -23,
      day: -19,
      time: '9:00',
      done: {
        took: 160,
        tip: 20,
        paid: [{ after: 1, method: 'Card', reference: 'Mastercard 5454' }],
        feedback: { Score: 9, Note: 'Long ladder, careful crew.' },
      },
    },
  ],
  [
    'gloria.lowell',
    {
      service: 'Pressure Washing',
      booked: -20,
      day: -15,
      time: '8:00',
      quantity: 1400,
      notes: 'Loading dock first, it opens at ten.',
      done: { late: 5, took: 110, paid: [{ after: 8, method: 'Check', reference: 'No. 30118' }] },
    },
  ],
  [
    'mario.lopez',
    {
      service: 'Sprinkler Backflow Test',
      booked: -18,
      day: -13,
      time: '11:00',
      done: { took: 35 },
      billed: {
        lines: [{ Description: 'Backflow test, with the report to Denver Water', Rate: 85, Qty: 1, Taxable: true }],
        paid: [{ after: 1, method: 'Card', reference: 'Visa 1881' }],
      },
    },
  ],
  [
    'patrick.shepherd',
    {
      service: 'Window Cleaning',
      booked: -16,
      day: -11,
      time: '13:00',
      quantity: 32,
      done: { took: 150, paid: [{ after: 3, method: 'Check', reference: 'No. 415', part: 0.4 }] },
    },
  ],
  [
    'janet.hughes',
    {
      service: 'Leaf Removal',
      booked: -12,
      day: -8,
      time: '8:30',
      quantity: 2,
      done: {
        took: 120,
        paid: [
          { after: 0, method: 'Card', reference: 'Visa 0077' },
          { after: 1, method: 'Card', reference: 'Visa 0077, charged by mistake', refund: true },
          { after: 2, method: 'Check', reference: 'No. 1206' },
        ],
      },
    },
  ],
  [
    'eli.marsh',
    {
      service: 'Sprinkler Winterization',
      booked: -14,
      day: -10,
      time: '10:00',
      quantity: 8,
      notes: 'Controller shows error E4.',
      done: { took: 55 },
      billed: { lines: [{ Description: 'Winterization, 8 zones', Rate: 121, Qty: 1 }], paid: [] },
    },
  ],
  ['beatriz.mahoney', { service: 'Gutter Cleaning', booked: -5, day: 6, time: '9:00' }],
  ['derek.jeffries2', { service: 'Window Cleaning', booked: -3, day: 10, time: '8:00', quantity: 60 }],
  // St. John's
  [
    'beatriz.zamora',
    {
      service: 'Gutter Cleaning',
      booked: -22,
      day: -16,
      time: '9:00',
      agent: 'Liam Power',
      done: {
        took: 75,
        tip: 12,
        paid: [{ after: 0, method: 'Card', reference: 'Visa 6011' }],
        feedback: { Score: 10, Note: 'Done before the rain.' },
      },
    },
  ],
  [
    'kevin.hughes',
    {
      service: 'Leaf Removal',
      booked: -9,
      day: -6,
      time: '10:00',
      quantity: 2,
      agent: 'Liam Power',
      done: { took: 130 },
    },
  ],
  ['chen.rosen', { service: 'Window Cleaning', booked: -2, day: 2, time: '9:00', quantity: 16, agent: 'Liam Power' }],
  ['dominic.olsen', { service: 'Snow Plowing', booked: -1, day: 7, time: '6:00', quantity: 4, state: 'queued' }],
];

export const offers: readonly Of<Offer>[] = [
  // Richmond
  [
    'george.cruz',
    {
      day: -6,
      opened: -5,
      title: 'Front beds, redrawn',
      of: { ProposalTemplateId: 'Front yard makeover' },
      option: 'Better',
      deposit: 30,
      notes: 'Wants hydrangeas in place of the boxwood.',
    },
  ],
  [
    'damian.quinn',
    {
      day: -12,
      opened: -12,
      title: 'Six treatments for a thicker lawn',
      of: { ServiceName: 'Lawn Treatment Program' },
      accepted: { day: -10, name: 'Damian Quinn' },
    },
  ],
  [
    'jose.hawkins',
    {
      day: -34,
      opened: -33,
      title: 'Aeration and seed for the back lawn',
      of: { ServiceName: 'Core Aeration and Overseeding' },
      lines: [{ Part: { Name: 'Overseeding kit' }, Quantity: 2 }],
      accepted: {
        day: -31,
        name: 'José Hawkins',
        visit: { service: 'Core Aeration and Overseeding', booked: -30, day: -26, time: '8:00', done: { took: 95 } },
        invoiced: [{ after: 5, method: 'Card', reference: 'Visa 3220' }],
        complete: true,
      },
    },
  ],
  [
    'janet.hoang',
    {
      day: -20,
      opened: -19,
      title: 'A new front yard',
      of: { ProposalTemplateId: 'Front yard makeover' },
      option: 'Better',
      deposit: 40,
      accepted: {
        day: -16,
        name: 'Janet Hoang',
        paid: [{ after: 2, method: 'Check', reference: 'No. 5530', part: 0.5 }],
        changeOrder: {
          day: -9,
          opened: -8,
          title: 'A blue spruce beside the drive',
          of: { ServiceName: 'Landscape Planting' },
          lines: [{ Part: { Name: 'Blue spruce 6 ft' }, Quantity: 1 }],
        },
      },
    },
  ],
  [
    'nadia.fontaine',
    {
      day: -11,
      opened: -10,
      title: 'Clean gutters that stay clean',
      of: { ServiceName: 'Gutter Cleaning' },
      quantity: 160,
      lines: [{ Part: { Name: 'Gutter guard' }, Quantity: 160 }],
      declined: { day: -3, note: 'Waits until the roof is done in spring.' },
    },
  ],
  [
    'claire.coleman',
    {
      day: -2,
      title: 'Walks and playground of the school',
      of: { ServiceName: 'Pressure Washing' },
      quantity: 2400,
      lines: [{ Part: { Name: 'Driveway sealer' }, Quantity: 1800 }],
      notes: 'Ask for the measured area of the playground.',
    },
  ],
  // Denver
  [
    'leon.rhodes',
    {
      day: -44,
      opened: -43,
      title: 'Lights along the roof',
      of: { ProposalTemplateId: 'Lit for the holidays' },
      option: 'Classic',
      deposit: 50,
    },
  ],
  [
    'tamara.fontaine',
    {
      day: -15,
      opened: -14,
      title: 'A sprinkler system of six zones',
      of: { ProposalTemplateId: 'Six-zone sprinkler system' },
      deposit: 25,
      accepted: {
        day: -11,
        name: 'Tamara Fontaine',
        paid: [{ after: 0, method: 'Card', reference: 'Amex 1005' }],
        visit: { service: 'Sprinkler Installation', booked: -10, day: 8, time: '7:30', duration: '7:00' },
      },
    },
  ],
  [
    'chen.patel',
    {
      day: -5,
      opened: -4,
      title: 'Gutters before winter',
      of: { ServiceName: 'Gutter Cleaning' },
      bundle: {
        day: -5,
        opened: -4,
        title: 'And the windows on the same day',
        of: { ServiceName: 'Window Cleaning' },
        quantity: 28,
      },
    },
  ],
  [
    'gloria.tanaka',
    {
      day: -3,
      title: 'Treatment program, renewed',
      of: { ServiceName: 'Lawn Treatment Program' },
      quantity: 9000,
      notes: 'Measure the lawn before it goes out.',
    },
  ],
  [
    'rafael.abbott',
    {
      day: -3,
      opened: -2,
      title: 'Two dormers and the eaves in lights',
      of: { ProposalTemplateId: 'Lit for the holidays' },
      option: 'Grand',
      deposit: 50,
    },
  ],
  // St. John's
  [
    'alicia.mahoney',
    {
      day: -5,
      opened: -4,
      title: 'The drive, cleared by seven',
      of: { ServiceName: 'Snow Plowing' },
      quantity: 5,
      lines: [{ Part: { Name: 'Sidewalk salt' }, Quantity: 40 }],
    },
  ],
  [
    'simon.bowman',
    {
      day: -21,
      opened: -20,
      title: 'Leaves, front and back',
      of: { ServiceName: 'Leaf Removal' },
      quantity: 3,
      accepted: {
        day: -18,
        name: 'Simon Bowman',
        visit: {
          service: 'Leaf Removal',
          booked: -17,
          day: -12,
          time: '9:00',
          agent: 'Liam Power',
          done: { took: 185, paid: [{ after: 1, method: 'Cash' }] },
        },
      },
    },
  ],
  [
    'andrea.mcbride',
    {
      day: -7,
      opened: -6,
      title: 'Gutters, all 300 feet',
      of: { ServiceName: 'Gutter Cleaning' },
      deposit: 20,
      accepted: { day: -2, name: 'Andrea McBride' },
    },
  ],
];

/** Invoices of the books that were kept before. */
export const bills: readonly Of<Bill>[] = [
  // Richmond
  [
    'joanna.salazar',
    {
      day: -46,
      number: 'RVA-1987',
      type: 'Recurring',
      terms: 'Net 15',
      lines: [{ Description: 'Mowing, four visits', Rate: 78.5, Qty: 4 }],
    },
  ],
  [
    'victor.sawyer',
    {
      day: -25,
      number: 'RVA-2003',
      lines: [{ Description: 'Last mosquito treatment of the season', Rate: 79, Qty: 1 }],
      paid: [{ after: 6, method: 'Check', reference: 'No. 88' }],
    },
  ],
  [
    'malik.zamora',
    {
      day: -18,
      number: 'RVA-2010',
      lines: [{ Description: 'Hardwood mulch, delivered', Rate: 74, Qty: 3, Taxable: true }],
      voided: { day: -17, note: 'Billed twice; RVA-2009 stands.' },
    },
  ],
  [
    'zoe.meyer',
    {
      day: -4,
      number: 'RVA-2018',
      type: 'Credit',
      lines: [{ Description: 'Treatment that was skipped', Rate: -64, Qty: 1 }],
      unapproved: true,
    },
  ],
  // Denver
  [
    'amir.greene',
    {
      day: -22,
      number: 'DEN-0871',
      terms: 'Net 15',
      lines: [
        { Description: 'Zone valve, replaced', Rate: 58, Qty: 2, Taxable: true },
        { Description: 'Crew hour', Rate: 62, Qty: 1.5 },
      ],
      paid: [{ after: 9, method: 'Card', reference: 'Visa 7310' }],
    },
  ],
  [
    'elena.cruz',
    { day: -3, number: 'DEN-0890', terms: 'Net 15', lines: [{ Description: 'Mowing, two visits', Rate: 42, Qty: 2 }] },
  ],
  // St. John's
  [
    'pamela.haines',
    {
      day: -10,
      number: 'YYT-0102',
      lines: [{ Description: 'River rock, spread', Rate: 118, Qty: 2, Taxable: true }],
      paid: [{ after: 3, method: 'Cash' }],
    },
  ],
  [
    'elena.fontaine',
    {
      day: -5,
      number: 'YYT-0105',
      terms: 'Net 30',
      lines: [{ Description: 'Snow stakes, set', Rate: 3.25, Qty: 24, Taxable: true }],
    },
  ],
];
