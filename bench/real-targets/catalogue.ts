import { alerta } from './apps/alerta.ts'
import { br0k3nApi } from './apps/br0k3n-api.ts'
import { capital } from './apps/capital.ts'
import { directus } from './apps/directus.ts'
import { doccano } from './apps/doccano.ts'
import { dvapi } from './apps/dvapi.ts'
import { dvga } from './apps/dvga.ts'
import { javulna } from './apps/javulna.ts'
import { juiceShop } from './apps/juice-shop.ts'
import { jupyterhub } from './apps/jupyterhub.ts'
import { keycloak } from './apps/keycloak.ts'
import { kinto } from './apps/kinto.ts'
import { labelStudio } from './apps/label-studio.ts'
import { lnbits } from './apps/lnbits.ts'
import { memos } from './apps/memos.ts'
import { miniflux } from './apps/miniflux.ts'
import { parseServer } from './apps/parse-server.ts'
import { pocketbase } from './apps/pocketbase.ts'
import { privacyidea } from './apps/privacyidea.ts'
import { restApiGoat } from './apps/rest-api-goat.ts'
import { restaurant } from './apps/restaurant.ts'
import { rva } from './apps/rva.ts'
import { synapse } from './apps/synapse.ts'
import { tiredful } from './apps/tiredful.ts'
import { unleash } from './apps/unleash.ts'
import { vampi } from './apps/vampi.ts'
import { vapi } from './apps/vapi.ts'
import { vulnBank } from './apps/vuln-bank.ts'
import { vulnNode } from './apps/vuln-node.ts'
import { vulnado } from './apps/vulnado.ts'
import { vulnerableApp } from './apps/vulnerable-app.ts'
import { websheep } from './apps/websheep.ts'
import { wger } from './apps/wger.ts'
import type { Target } from './target.ts'

/** Every application that this folder knows. */
export const TARGETS: readonly Target[] = [
  directus,
  unleash,
  parseServer,
  kinto,
  keycloak,
  pocketbase,
  miniflux,
  memos,
  labelStudio,
  synapse,
  doccano,
  lnbits,
  wger,
  privacyidea,
  alerta,
  jupyterhub,
  rva,
  restaurant,
  vampi,
  vapi,
  vulnBank,
  vulnNode,
  dvga,
  vulnado,
  br0k3nApi,
  capital,
  tiredful,
  restApiGoat,
  vulnerableApp,
  dvapi,
  javulna,
  juiceShop,
  ...websheep,
]
