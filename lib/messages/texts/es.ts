import type { MessageKind } from '../../entities/message-kinds.ts';
import type { KindTexts, MessageWords, TextAnswers } from './en.ts';

const HELLO = 'Hola{{#if contact.name}}, {{contact.name}}{{/if}}:\n\n';
const SERVICE = '{{#if visit.service}} ({{visit.service}}){{/if}}';
const STOP = ' Responda STOP para no recibir más mensajes.';

/** The texts of the messages in Spanish. */
export const esKinds: Readonly<Record<MessageKind, KindTexts>> = {
  VisitBooked: {
    subject:
      '{{#if series.count}}Sus {{series.count}} visitas están reservadas, la primera es el {{visit.when}}' +
      '{{else}}Su visita es el {{visit.when}}{{/if}}',
    body:
      `${HELLO}{{#if series.count}}Sus visitas están reservadas. El archivo adjunto las añade a su calendario.` +
      '{{else}}Su visita está reservada. El archivo adjunto la añade a su calendario.{{/if}}',
    text:
      '{{company.name}}: {{#if series.count}}sus {{series.count}} visitas' +
      `${SERVICE} están reservadas, la primera es el ` +
      `{{else}}su visita${SERVICE} es el {{/if}}{{visit.when}}: {{visit.link}}`,
  },
  VisitConfirm: {
    subject:
      '{{#if series.count}}Confirme sus {{series.count}} visitas, la primera es el ' +
      '{{else}}Confirme su visita del {{/if}}{{visit.when}}',
    body:
      `${HELLO}{{#if series.count}}Le reservamos estas horas. Confirme sus visitas` +
      '{{else}}Le reservamos esta hora. Confirme su visita{{/if}}' +
      '{{#if visit.heldUntil}} antes del {{visit.heldUntil}}; después queda libre{{/if}}.',
    text:
      '{{company.name}}: {{#if series.count}}confirme sus {{series.count}} visitas' +
      `${SERVICE}, la primera es el {{else}}confirme su visita${SERVICE} del {{/if}}{{visit.when}}: {{visit.link}}`,
  },
  VisitMoved: {
    subject:
      '{{#if series.count}}Sus {{series.count}} visitas cambian de hora, la primera es el {{visit.when}}' +
      '{{else}}Su visita cambia de hora: {{visit.when}}{{/if}}',
    body:
      `${HELLO}{{#if series.count}}Sus visitas tienen otra hora. El archivo adjunto las cambia en su calendario.` +
      '{{else}}Su visita tiene otra hora. El archivo adjunto la cambia en su calendario.{{/if}}',
    text:
      '{{company.name}}: {{#if series.count}}sus {{series.count}} visitas' +
      `${SERVICE} cambian de hora, la primera{{else}}su visita${SERVICE} cambia{{/if}}` +
      '{{#if visit.former}} del {{visit.former}}{{/if}} al {{visit.when}}: {{visit.link}}',
  },
  VisitCanceled: {
    subject:
      '{{#if series.count}}Sus {{series.count}} visitas están canceladas, la primera era el ' +
      '{{else}}Su visita está cancelada: {{/if}}{{visit.when}}',
    body:
      `${HELLO}{{#if series.count}}Sus visitas están canceladas. El archivo adjunto las quita de su calendario.` +
      '{{else}}Su visita está cancelada. El archivo adjunto la quita de su calendario.{{/if}}',
    text:
      '{{company.name}}: {{#if series.count}}sus {{series.count}} visitas' +
      `${SERVICE} están canceladas, la primera era el ` +
      `{{else}}se ha cancelado su visita${SERVICE} del {{/if}}{{visit.when}}: {{visit.link}}`,
  },
  Reminder: {
    subject:
      'Recordatorio: {{#if series.count}}sus {{series.count}} visitas, la primera es el ' +
      '{{else}}su visita es el {{/if}}{{visit.when}}',
    body:
      `${HELLO}{{#if visit.tentative}}Confirme su visita` +
      '{{#if visit.heldUntil}} antes del {{visit.heldUntil}}; después queda libre{{/if}}.{{else}}Hasta pronto. ' +
      'Si necesita otra hora, díganoslo en la página de la visita.{{/if}}',
    text:
      '{{company.name}}: {{#if series.count}}sus {{series.count}} visitas' +
      `${SERVICE}, la primera es el {{else}}{{#if visit.tentative}}confirme su visita${SERVICE} del ` +
      `{{else}}su visita${SERVICE} es el {{/if}}{{/if}}{{visit.when}}: {{visit.link}}`,
  },
  OnTheWay: {
    subject: '{{#if visit.agent}}{{visit.agent}} está{{else}}Estamos{{/if}} en camino',
    body: `${HELLO}{{#if visit.agent}}{{visit.agent}} está{{else}}Estamos{{/if}} en camino.`,
    text:
      '{{company.name}}: {{#if visit.agent}}{{visit.agent}} está{{else}}estamos{{/if}} en camino. ' +
      'Siga la visita: {{visit.link}}',
  },
  HowWasIt: {
    subject: '¿Qué tal su visita del {{visit.date}}?',
    body:
      `${HELLO}Gracias por elegir {{company.name}}. Cuéntenos qué tal fue su visita: solo toma un minuto` +
      '{{#if visit.tipLink}}, y puede dejar una propina{{/if}}.',
    text:
      `{{company.name}}: ¿qué tal su visita${SERVICE}? ` +
      `{{#if visit.tipLink}}{{visit.tipLink}}{{else}}{{visit.link}}{{/if}}${STOP}`,
  },
  Proposal: {
    subject: 'Su presupuesto por {{proposal.total}}: {{proposal.title}}',
    body: `${HELLO}Aquí está nuestro presupuesto. Puede revisarlo y firmarlo en línea.`,
    text: '{{company.name}}: su presupuesto por {{proposal.total}} ({{proposal.title}}): {{proposal.link}}',
  },
  ProposalExpiring: {
    subject:
      'Su presupuesto vence {{#if proposal.expires}}el {{proposal.expires}}{{else}}pronto{{/if}}: {{proposal.title}}',
    body:
      `${HELLO}Puede firmar nuestro presupuesto ` +
      '{{#if proposal.expires}}hasta el {{proposal.expires}}{{else}}unos días más{{/if}}. ' +
      'Si tiene preguntas, llámenos o escríbanos.',
    text:
      '{{company.name}}: su presupuesto por {{proposal.total}} ({{proposal.title}}) vence ' +
      `{{#if proposal.expires}}el {{proposal.expires}}{{else}}pronto{{/if}}: {{proposal.link}}${STOP}`,
  },
  ProposalSigned: {
    subject: 'Firmado: {{proposal.title}}',
    body: `${HELLO}Gracias. El presupuesto está firmado, y le contactaremos para los siguientes pasos.`,
    text: '{{company.name}}: gracias por firmar ({{proposal.title}}). Su copia: {{proposal.link}}',
  },
  Invoice: {
    subject: 'Factura {{invoice.number}} por {{invoice.total}}',
    body: `${HELLO}Aquí está su factura.`,
    text: '{{company.name}}: factura {{invoice.number}} por {{invoice.total}}: {{invoice.link}}',
  },
  InvoiceDue: {
    subject:
      'La factura {{invoice.number}} vence {{#if invoice.due}}el {{invoice.due}}{{else}}pronto{{/if}}: ' +
      '{{invoice.balance}}',
    body:
      `${HELLO}{{invoice.balance}} de su factura vence ` +
      '{{#if invoice.due}}el {{invoice.due}}{{else}}pronto{{/if}}. Si ya pagó, gracias.',
    text:
      '{{company.name}}: {{invoice.balance}} de la factura {{invoice.number}} vence ' +
      '{{#if invoice.due}}el {{invoice.due}}{{else}}pronto{{/if}}. {{invoice.link}}',
  },
  InvoiceOverdue: {
    subject: 'La factura {{invoice.number}} está vencida: {{invoice.balance}}',
    body:
      `${HELLO}{{invoice.balance}} de su factura está pendiente` +
      '{{#if invoice.due}}, y venció el {{invoice.due}}{{/if}}. Si ya pagó, gracias. ' +
      'Si tiene preguntas, llámenos o escríbanos.',
    text: '{{company.name}}: {{invoice.balance}} de la factura {{invoice.number}} está vencido. {{invoice.link}}',
  },
  Receipt: {
    subject: 'Recibimos su pago de {{payment.amount}}',
    body: `${HELLO}Gracias. Recibimos su pago.`,
    text:
      '{{company.name}}: gracias, recibimos su pago de {{payment.amount}}' +
      '{{#if invoice.number}} de la factura {{invoice.number}}{{/if}}. {{invoice.link}}',
  },
  Refund: {
    subject: 'Su reembolso de {{payment.amount}}',
    body: `${HELLO}Le enviamos un reembolso. Su banco puede tardar unos días en mostrarlo.`,
    text:
      '{{company.name}}: le enviamos un reembolso de {{payment.amount}}' +
      '{{#if invoice.number}} de la factura {{invoice.number}}{{/if}}. {{invoice.link}}',
  },
  CardFailed: {
    subject: 'Su pago de la factura {{invoice.number}} falló',
    body: `${HELLO}Su tarjeta o su banco rechazó el pago de esta factura. Inténtelo otra vez, o páguela de otra forma.`,
    text:
      '{{company.name}}: su pago de {{invoice.balance}} por la factura {{invoice.number}} fue rechazado. ' +
      '{{invoice.link}}',
  },
  NewLink: {
    subject: 'Su enlace nuevo',
    body: `${HELLO}Pidió un enlace nuevo. Es posible que los anteriores ya no funcionen.`,
    text: '{{company.name}}: aquí está su enlace nuevo: {{link.page}}',
  },
  Office: { subject: '{{task.title}}', body: '{{task.text}}', text: '{{company.name}}: {{task.title}}' },
};

export const esAnswers: TextAnswers = {
  stop: 'Ya no le enviamos mensajes de texto. Responda START para recibirlos de nuevo.',
  start: 'De nuevo le enviamos mensajes de texto. Responda STOP para terminarlos, HELP para ayuda.',
  help: 'Le escribimos sobre visitas, propuestas y facturas. Responda STOP para terminar. Para contactarnos:',
  reach: 'Llame o escriba a la empresa.',
};

export const esWords: MessageWords = {
  when: 'Cuándo',
  former: 'Antes',
  with: 'Con',
  due: 'Vence',
  method: 'Forma de pago',
  signedBy: 'Firmado por',
  reviewProposal: 'Revisar y firmar',
  viewProposal: 'Ver el presupuesto',
  viewInvoice: 'Ver la factura',
  openLink: 'Abrir la página',
  declined: 'Presupuesto rechazado',
  booked: 'Reserva de un cliente nuevo',
};
