import type { Handlers } from '../../handler.ts'
import { checkCrawlStatus } from './checkCrawlStatus.ts'
import { deleteCrawl } from './deleteCrawl.ts'
import { deleteModuleInfo } from './deleteModuleInfo.ts'
import { fetchAllDastScans } from './fetchAllDastScans.ts'
import { fetchAvailableDastModules } from './fetchAvailableDastModules.ts'
import { fetchCrawlerRun } from './fetchCrawlerRun.ts'
import { fetchCrawlerUrls } from './fetchCrawlerUrls.ts'
import { fetchCrawlLogs } from './fetchCrawlLogs.ts'
import { fetchCrawlMemory } from './fetchCrawlMemory.ts'
import { fetchDastScan } from './fetchDastScan.ts'
import { fetchPendingDastJobs, fetchPendingDastJobsV2 } from './fetchPendingDastJobs.ts'
import { findMissingUrls } from './findMissingUrls.ts'
import { getCrawlerGraph } from './getCrawlerGraph.ts'
import { getLatestCrawlerFrame } from './getLatestCrawlerFrame.ts'
import { initiateCrawler } from './initiateCrawler.ts'
import { insertDastLog } from './insertDastLog.ts'
import { rebootModules } from './rebootModules.ts'
import { reportCrawlLogin } from './reportCrawlLogin.ts'
import { restartCrawl } from './restartCrawl.ts'
import { saveCrawlerUrl } from './saveCrawlerUrl.ts'
import { saveCrawlerUrlsBatch } from './saveCrawlerUrlsBatch.ts'
import { saveCrawlMemory } from './saveCrawlMemory.ts'
import { shareCrawlFacts } from './shareCrawlFacts.ts'
import { stopCrawler } from './stopCrawler.ts'
import { syncCrawlWork } from './syncCrawlWork.ts'
import { takeCrawlCodeStep } from './takeCrawlCodeStep.ts'
import { updateCrawlerStatus, updateDastJobStatus } from './updateCrawlerStatus.ts'
import { updateModuleInfoForHeartbeat } from './updateModuleInfoForHeartbeat.ts'
import { uploadCrawlerData } from './uploadCrawlerData.ts'
import { uploadCrawlerDataBatch } from './uploadCrawlerDataBatch.ts'
import { uploadCrawlerFrame } from './uploadCrawlerFrame.ts'
import { uploadCrawlerGraph } from './uploadCrawlerGraph.ts'

/** Crawls, and the modules that work on them. */
export const crawlerHandlers = {
  checkCrawlStatus,
  deleteCrawl,
  deleteModuleInfo,
  fetchAllDastScans,
  fetchAvailableDastModules,
  fetchCrawlLogs,
  fetchCrawlMemory,
  fetchCrawlerRun,
  fetchCrawlerUrls,
  fetchDastScan,
  fetchPendingDastJobs,
  fetchPendingDastJobsV2,
  findMissingUrls,
  getCrawlerGraph,
  getLatestCrawlerFrame,
  initiateCrawler,
  insertDastLog,
  rebootModules,
  reportCrawlLogin,
  restartCrawl,
  saveCrawlMemory,
  saveCrawlerUrl,
  saveCrawlerUrlsBatch,
  shareCrawlFacts,
  stopCrawler,
  syncCrawlWork,
  takeCrawlCodeStep,
  updateCrawlerStatus,
  updateDastJobStatus,
  updateModuleInfoForHeartbeat,
  uploadCrawlerData,
  uploadCrawlerDataBatch,
  uploadCrawlerFrame,
  uploadCrawlerGraph,
} satisfies Handlers
