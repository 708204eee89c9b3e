/** Bodies as forms and connectors send them, by the documentation of each; every value is made up. */

export interface SentForm {
  readonly type: string;
  readonly body: string;
  /** What the contact must have. */
  readonly contact: Readonly<Record<string, string>>;
  /** Texts that a person or the provider sent, which must be found in contact, note or task. */
  readonly values: readonly string[];
}

const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';

const encoded = (fields: Readonly<Record<string, string>>): string => new URLSearchParams(fields).toString();

const multipart = (fields: readonly (readonly [headers: string, content: string])[]): string =>
  fields
    .map(([headers, content]) => `--x7MA4YWxk\r\nContent-Disposition: form-data; ${headers}\r\n\r\n${content}\r\n`)
    .join('') + '--x7MA4YWxk--\r\n';

const json = (body: object): string => JSON.stringify(body);

export const sentForms: Readonly<Record<string, SentForm>> = {
  'Contact Form 7, form-encoded': {
    type: `${FORM}; charset=UTF-8`,
    body: encoded({
      _wpcf7: '123',
      _wpcf7_unit_tag: 'wpcf7-f123-p9-o1',
      'your-name': 'Ann Lee',
      'your-email': 'ann.cf7@example.com',
      'your-tel': '(804) 555-0143',
      'your-subject': 'Hedge',
      'your-message': 'The hedge is 12 ft.\r\nGate code 4711.',
    }),
    contact: { Name: 'Ann Lee', Email: 'ann.cf7@example.com', Phone: '(804) 555-0143' },
    values: ['Hedge', 'The hedge is 12 ft.', 'Gate code 4711.', 'wpcf7-f123-p9-o1'],
  },
  'Contact Form 7, multipart with a photo': {
    type: 'multipart/form-data; boundary=x7MA4YWxk',
    body: multipart([
      ['name="your-name"', 'José Ruiz'],
      ['name="your-email"', 'jose.cf7@example.com'],
      ['name="your-zip"', '23220'],
      ['name="your-message"', 'See the photo.'],
      ['name="photo"; filename="garden.jpg"\r\nContent-Type: image/jpeg', 'not really a picture'],
    ]),
    contact: { Name: 'José Ruiz', Email: 'jose.cf7@example.com', Zip: '23220' },
    values: ['See the photo.', 'garden.jpg'],
  },
  'Gravity Forms, all fields': {
    type: JSON_TYPE,
    body: json({
      id: '88',
      form_id: '2',
      date_created: '2026-11-22 10:00:00',
      source_url: 'https://example.com/quote/?utm_source=google&utm_medium=cpc&utm_campaign=spring&gclid=Cj0KCQiA',
      user_agent: 'Mozilla/5.0',
      '1.2': '',
      '1.3': 'Maria',
      '1.6': 'Kowalczyk',
      '2': 'maria.gf@example.com',
      '3': '(804) 555-0199',
      '4.1': '77 Blueberry Lane',
      '4.3': 'Richmond',
      '4.4': 'VA',
      '4.5': '23221',
      '5': 'Weekly mowing, back yard only',
    }),
    contact: {
      Name: 'Maria Kowalczyk',
      Email: 'maria.gf@example.com',
      Phone: '(804) 555-0199',
      Address1: '77 Blueberry Lane',
      City: 'Richmond',
      State: 'VA',
      Zip: '23221',
      UtmSource: 'google',
      UtmMedium: 'cpc',
      UtmCampaign: 'spring',
      DigitalTrackingId: 'Cj0KCQiA',
    },
    values: ['Weekly mowing, back yard only', 'Mozilla/5.0', '2026-11-22 10:00:00'],
  },
  'Elementor Pro, simple': {
    type: FORM,
    body: encoded({
      Name: 'Bob Ray',
      Email: 'bob.el@example.com',
      'Phone Number': '804.555.0177',
      Message: 'Please call after 5 pm',
      form_id: '3f2a1b',
      form_name: 'Contact us',
    }),
    contact: { Name: 'Bob Ray', Email: 'bob.el@example.com', Phone: '804.555.0177' },
    values: ['Please call after 5 pm', 'Contact us', '3f2a1b'],
  },
  'Elementor Pro, advanced data': {
    type: FORM,
    body: encoded({
      'form[id]': '3f2a1b',
      'form[name]': 'Contact us',
      'fields[name][id]': 'name',
      'fields[name][type]': 'text',
      'fields[name][title]': 'Full name',
      'fields[name][value]': 'Cleo Park',
      'fields[name][raw_value]': 'Cleo Park',
      'fields[name][required]': '1',
      'fields[email][id]': 'email',
      'fields[email][type]': 'email',
      'fields[email][title]': 'Email',
      'fields[email][value]': 'cleo.el@example.com',
      'fields[field_7a][id]': 'field_7a',
      'fields[field_7a][type]': 'tel',
      'fields[field_7a][title]': 'How can we reach you?',
      'fields[field_7a][value]': '+1 804 555 0188',
      'fields[field_9c][id]': 'field_9c',
      'fields[field_9c][type]': 'select',
      'fields[field_9c][title]': 'Service',
      'fields[field_9c][value]': 'Aeration',
      'meta[page_url][title]': 'Page URL',
      'meta[page_url][value]': 'https://example.com/contact/?utm_source=newsletter',
    }),
    contact: { Name: 'Cleo Park', Email: 'cleo.el@example.com', Phone: '+1 804 555 0188', UtmSource: 'newsletter' },
    values: ['Service: Aeration', 'Contact us', 'https://example.com/contact/?utm_source=newsletter'],
  },
  WPForms: {
    type: JSON_TYPE,
    body: json({
      form_id: 12,
      fields: {
        1: { name: 'Name', value: 'Dan Moss', id: 1, type: 'name', first: 'Dan', middle: '', last: 'Moss' },
        2: { name: 'E-mail', value: 'dan.wpf@example.com', id: 2, type: 'email' },
        3: { name: 'Comment or Message', value: 'Two acres', id: 3, type: 'textarea' },
        4: { name: 'Days', value: 'Mon\nWed', id: 4, type: 'checkbox' },
      },
    }),
    contact: { Name: 'Dan Moss', Email: 'dan.wpf@example.com' },
    values: ['Two acres', 'Days: Mon\nWed'],
  },
  'Webflow v2': {
    type: JSON_TYPE,
    body: json({
      triggerType: 'form_submission',
      payload: {
        name: 'Contact Us',
        siteId: '65427cf400e02b306eaa049c',
        data: { 'First Name': 'Zoe', 'Last Name': 'Adams', email: 'zoe.wf@example.com', 'Phone Number': 8045550166 },
        schema: [{ fieldName: 'First Name', fieldType: 'FormTextInput', fieldElementId: '285042f7' }],
        submittedAt: '2026-11-22T12:00:00.000Z',
        id: '6321ca84df3949bfc6752328',
        formElementId: '4e038d2c',
      },
    }),
    contact: { Name: 'Zoe Adams', Email: 'zoe.wf@example.com', Phone: '8045550166' },
    values: ['Contact Us', '6321ca84df3949bfc6752328', 'FormTextInput'],
  },
  'Webflow v1': {
    type: JSON_TYPE,
    body: json({
      name: 'Sample Form',
      site: '62749158efef318abc8d5a0f',
      data: { name: 'Yan Li', email: 'yan.wf@example.com', message: 'Hi there' },
      d: '2026-11-22T12:35:16.117Z',
      _id: '6321ca84df3949bfc6752327',
    }),
    contact: { Name: 'Yan Li', Email: 'yan.wf@example.com' },
    values: ['Hi there', 'Sample Form', '6321ca84df3949bfc6752327'],
  },
  'HubSpot workflow': {
    type: JSON_TYPE,
    body: json({
      vid: 204727,
      properties: {
        firstname: { value: 'Eve', versions: [{ value: 'Eve', timestamp: 1479134411000 }] },
        lastname: { value: 'Stone', versions: [] },
        email: { value: 'eve.hs@example.com' },
        mobilephone: { value: '804-555-0155' },
        zip: { value: '23222' },
        hs_analytics_source: { value: 'ORGANIC_SEARCH' },
      },
    }),
    contact: { Name: 'Eve Stone', Email: 'eve.hs@example.com', Phone: '804-555-0155', Zip: '23222' },
    values: ['ORGANIC_SEARCH', '204727', '1479134411000'],
  },
  'HubSpot form': {
    type: JSON_TYPE,
    body: json({
      fields: [
        { objectTypeId: '0-1', name: 'email', value: 'finn.hs@example.com' },
        { objectTypeId: '0-1', name: 'firstname', value: 'Finn' },
        { objectTypeId: '0-1', name: 'company', value: 'Smith & Sons, Inc.' },
      ],
      context: { pageUri: 'https://example.com/quote', pageName: 'Quote' },
    }),
    contact: { Name: 'Finn', Email: 'finn.hs@example.com', Company: 'Smith & Sons, Inc.' },
    values: ['https://example.com/quote', 'Quote'],
  },
  'Meta lead ads, forwarded': {
    type: JSON_TYPE,
    body: json({
      id: '444444444444',
      created_time: '2026-11-22T08:49:14+0000',
      ad_name: 'Spring ad',
      campaign_name: 'Spring',
      field_data: [
        { name: 'full_name', values: ['Gus Hill'] },
        { name: 'email', values: ['gus.meta@example.com'] },
        { name: 'phone_number', values: ['+18045550122'] },
        { name: 'when_do_you_want_to_start?', values: ['this_week'] },
      ],
    }),
    contact: { Name: 'Gus Hill', Email: 'gus.meta@example.com', Phone: '+18045550122' },
    values: ['this_week', 'Spring ad', '444444444444'],
  },
  'Meta lead ads, an id alone': {
    type: JSON_TYPE,
    body: json({
      object: 'page',
      entry: [
        {
          id: '153125381133',
          time: 1438292065,
          changes: [
            { field: 'leadgen', value: { leadgen_id: '123123123123', page_id: '123123123', form_id: '12312312312' } },
          ],
        },
      ],
    }),
    contact: { Name: 'Lead from Website' },
    values: ['123123123123', '12312312312'],
  },
  'Google Ads lead form': {
    type: JSON_TYPE,
    body: json({
      lead_id: 'TeSter-123',
      user_column_data: [
        { column_name: 'Full Name', string_value: 'Hana Ito', column_id: 'FULL_NAME' },
        { column_name: 'User Email', string_value: 'hana.g@example.com', column_id: 'EMAIL' },
        { column_name: 'User Phone', string_value: '1-804-555-0133', column_id: 'PHONE_NUMBER' },
        { column_name: 'Postal code', string_value: '23223', column_id: 'POSTAL_CODE' },
        { column_name: 'Which service?', string_value: 'Leaf removal', column_id: 'which_service?' },
      ],
      api_version: '1.0',
      form_id: 40000000000,
      campaign_id: 123456,
      gcl_id: 'Cj0KCQjw',
    }),
    contact: {
      Name: 'Hana Ito',
      Email: 'hana.g@example.com',
      Phone: '1-804-555-0133',
      Zip: '23223',
      DigitalTrackingId: 'Cj0KCQjw',
    },
    values: ['Which service?: Leaf removal', 'TeSter-123', '40000000000', '123456'],
  },
  Typeform: {
    type: JSON_TYPE,
    body: json({
      event_id: 'LtWXD3crgy',
      event_type: 'form_response',
      form_response: {
        form_id: 'lT4Z3j',
        token: 'a3a12ec67a1365927098a606107fac15',
        submitted_at: '2026-11-22T18:17:02Z',
        hidden: { utm_source: 'instagram' },
        definition: {
          id: 'lT4Z3j',
          title: 'Get a quote',
          fields: [
            { id: 'DlXFaesGBpoF', title: "What's your first name?", type: 'short_text', ref: 'r1' },
            { id: 'SMEUb7VJz92Q', title: 'And your last name?', type: 'short_text', ref: 'r2' },
            { id: 'JwWggjAKtOkA', title: 'Where can we write to you?', type: 'email', ref: 'r3' },
            { id: 'KoJxDM3c6x8h', title: 'Which services?', type: 'multiple_choice', ref: 'r4' },
          ],
        },
        answers: [
          { type: 'text', text: 'Ian', field: { id: 'DlXFaesGBpoF', type: 'short_text', ref: 'r1' } },
          { type: 'text', text: 'Wood', field: { id: 'SMEUb7VJz92Q', type: 'short_text', ref: 'r2' } },
          { type: 'email', email: 'ian.tf@example.com', field: { id: 'JwWggjAKtOkA', type: 'email', ref: 'r3' } },
          {
            type: 'choices',
            choices: { labels: ['Mowing', 'Edging'] },
            field: { id: 'KoJxDM3c6x8h', type: 'multiple_choice', ref: 'r4' },
          },
        ],
      },
    }),
    contact: { Name: 'Ian Wood', Email: 'ian.tf@example.com', UtmSource: 'instagram' },
    values: ['Which services?: Mowing, Edging', 'LtWXD3crgy', 'Get a quote'],
  },
  'Zapier, form-encoded': {
    type: FORM,
    body: encoded({
      first_name: 'Jo',
      last_name: 'Vance',
      email_address: '"Jo Vance" <jo.zap@example.com>',
      cell: '804-555-0111 / 804-555-0112',
      street_address: '5 Elm St',
      city: 'Richmond',
      state: 'VA',
      zip_code: '23224',
      'How did you hear about us?': 'A neighbor',
      budget: '$1,200',
    }),
    contact: {
      Name: 'Jo Vance',
      Email: 'jo.zap@example.com',
      Phone: '804-555-0111',
      AltPhone: '804-555-0112',
      Address1: '5 Elm St',
      City: 'Richmond',
      State: 'VA',
      Zip: '23224',
      LeadSource: 'A neighbor',
    },
    values: ['$1,200'],
  },
  'n8n, a whole webhook passed on': {
    type: JSON_TYPE,
    body: json({
      headers: { host: 'n8n.example.com', 'user-agent': 'curl/8' },
      params: {},
      query: {},
      body: {
        contact: {
          name: 'Kim, Lou',
          email: 'lou.n8n@example.com',
          address: { street: '9 Oak Ave', postalCode: '02134' },
        },
      },
    }),
    contact: { Name: 'Lou Kim', Email: 'lou.n8n@example.com', Address1: '9 Oak Ave', Zip: '02134' },
    values: ['curl/8'],
  },
  'a form in Spanish, in windows-1252': {
    type: FORM,
    body:
      'nombre=Jos%E9&apellidos=P%E9rez+Garc%EDa&correo=jose.es%40example.com&tel%E9fono=804-555-0101' +
      '&c%F3digo+postal=23225&direcci%F3n=Calle+Mayor+3&mensaje=Ma%F1ana+por+favor',
    contact: {
      Name: 'José Pérez García',
      Email: 'jose.es@example.com',
      Phone: '804-555-0101',
      Zip: '23225',
      Address1: 'Calle Mayor 3',
    },
    values: ['Mañana por favor'],
  },
};
