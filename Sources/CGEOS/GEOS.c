#include "CGEOS.h"
#include <CLoading.h>

#define LOADED_LIBRARY "libgeos_c.so.1"
#define LOADED_PACKAGE "libgeos-c1v5"

LOADED_FUNCTION(int, GEOSArea_r,
    (GEOSContextHandle_t handle, const GEOSGeometry *g, double *area),
    (handle, g, area))
LOADED_FUNCTION(GEOSGeometry *, GEOSBoundary_r,
    (GEOSContextHandle_t handle, const GEOSGeometry *g),
    (handle, g))
LOADED_FUNCTION(GEOSGeometry *, GEOSBufferWithStyle_r,
    (GEOSContextHandle_t handle, const GEOSGeometry *g, double width, int quadsegs, int endCapStyle,
     int joinStyle, double mitreLimit),
    (handle, g, width, quadsegs, endCapStyle, joinStyle, mitreLimit))
LOADED_FUNCTION(GEOSMessageHandler_r, GEOSContext_setErrorMessageHandler_r,
    (GEOSContextHandle_t extHandle, GEOSMessageHandler_r ef, void *userData),
    (extHandle, ef, userData))
LOADED_FUNCTION(GEOSCoordSequence *, GEOSCoordSeq_copyFromBuffer_r,
    (GEOSContextHandle_t handle, const double *buf, unsigned int size, int hasZ, int hasM),
    (handle, buf, size, hasZ, hasM))
LOADED_FUNCTION(int, GEOSCoordSeq_copyToBuffer_r,
    (GEOSContextHandle_t handle, const GEOSCoordSequence *s, double *buf, int hasZ, int hasM),
    (handle, s, buf, hasZ, hasM))
LOADED_PROCEDURE(GEOSCoordSeq_destroy_r, (GEOSContextHandle_t handle, GEOSCoordSequence *s), (handle, s))
LOADED_FUNCTION(int, GEOSCoordSeq_getSize_r,
    (GEOSContextHandle_t handle, const GEOSCoordSequence *s, unsigned int *size),
    (handle, s, size))
LOADED_FUNCTION(GEOSGeometry *, GEOSDifference_r,
    (GEOSContextHandle_t handle, const GEOSGeometry *g1, const GEOSGeometry *g2),
    (handle, g1, g2))
LOADED_FUNCTION(int, GEOSDistance_r,
    (GEOSContextHandle_t handle, const GEOSGeometry *g1, const GEOSGeometry *g2, double *dist),
    (handle, g1, g2, dist))
LOADED_FUNCTION(int, GEOSGeomTypeId_r, (GEOSContextHandle_t handle, const GEOSGeometry *g), (handle, g))
LOADED_FUNCTION(GEOSGeometry *, GEOSGeom_clone_r,
    (GEOSContextHandle_t handle, const GEOSGeometry *g),
    (handle, g))
LOADED_FUNCTION(GEOSGeometry *, GEOSGeom_createCollection_r,
    (GEOSContextHandle_t handle, int type, GEOSGeometry **geoms, unsigned int ngeoms),
    (handle, type, geoms, ngeoms))
LOADED_FUNCTION(GEOSGeometry *, GEOSGeom_createLineString_r,
    (GEOSContextHandle_t handle, GEOSCoordSequence *s),
    (handle, s))
LOADED_FUNCTION(GEOSGeometry *, GEOSGeom_createLinearRing_r,
    (GEOSContextHandle_t handle, GEOSCoordSequence *s),
    (handle, s))
LOADED_FUNCTION(GEOSGeometry *, GEOSGeom_createPoint_r,
    (GEOSContextHandle_t handle, GEOSCoordSequence *s),
    (handle, s))
LOADED_FUNCTION(GEOSGeometry *, GEOSGeom_createPolygon_r,
    (GEOSContextHandle_t handle, GEOSGeometry *shell, GEOSGeometry **holes, unsigned int nholes),
    (handle, shell, holes, nholes))
LOADED_PROCEDURE(GEOSGeom_destroy_r, (GEOSContextHandle_t handle, GEOSGeometry *g), (handle, g))
LOADED_FUNCTION(const GEOSCoordSequence *, GEOSGeom_getCoordSeq_r,
    (GEOSContextHandle_t handle, const GEOSGeometry *g),
    (handle, g))
LOADED_FUNCTION(GEOSGeometry *, GEOSGeom_setPrecision_r,
    (GEOSContextHandle_t handle, const GEOSGeometry *g, double gridSize, int flags),
    (handle, g, gridSize, flags))
LOADED_FUNCTION(GEOSGeometry *, GEOSGetCentroid_r,
    (GEOSContextHandle_t handle, const GEOSGeometry *g),
    (handle, g))
LOADED_FUNCTION(const GEOSGeometry *, GEOSGetExteriorRing_r,
    (GEOSContextHandle_t handle, const GEOSGeometry *g),
    (handle, g))
LOADED_FUNCTION(const GEOSGeometry *, GEOSGetGeometryN_r,
    (GEOSContextHandle_t handle, const GEOSGeometry *g, int n),
    (handle, g, n))
LOADED_FUNCTION(const GEOSGeometry *, GEOSGetInteriorRingN_r,
    (GEOSContextHandle_t handle, const GEOSGeometry *g, int n),
    (handle, g, n))
LOADED_FUNCTION(int, GEOSGetNumGeometries_r, (GEOSContextHandle_t handle, const GEOSGeometry *g), (handle, g))
LOADED_FUNCTION(int, GEOSGetNumInteriorRings_r,
    (GEOSContextHandle_t handle, const GEOSGeometry *g),
    (handle, g))
LOADED_FUNCTION(GEOSGeometry *, GEOSIntersection_r,
    (GEOSContextHandle_t handle, const GEOSGeometry *g1, const GEOSGeometry *g2),
    (handle, g1, g2))
LOADED_FUNCTION(char, GEOSIntersects_r,
    (GEOSContextHandle_t handle, const GEOSGeometry *g1, const GEOSGeometry *g2),
    (handle, g1, g2))
LOADED_FUNCTION(int, GEOSLength_r,
    (GEOSContextHandle_t handle, const GEOSGeometry *g, double *length),
    (handle, g, length))
LOADED_FUNCTION(GEOSGeometry *, GEOSMakeValid_r,
    (GEOSContextHandle_t handle, const GEOSGeometry *g),
    (handle, g))
LOADED_FUNCTION(GEOSCoordSequence *, GEOSNearestPoints_r,
    (GEOSContextHandle_t handle, const GEOSGeometry *g1, const GEOSGeometry *g2),
    (handle, g1, g2))
LOADED_FUNCTION(GEOSGeometry *, GEOSPointOnSurface_r,
    (GEOSContextHandle_t handle, const GEOSGeometry *g),
    (handle, g))
LOADED_FUNCTION(const GEOSPreparedGeometry *, GEOSPrepare_r,
    (GEOSContextHandle_t handle, const GEOSGeometry *g),
    (handle, g))
LOADED_FUNCTION(char, GEOSPreparedContains_r,
    (GEOSContextHandle_t handle, const GEOSPreparedGeometry *pg1, const GEOSGeometry *g2),
    (handle, pg1, g2))
LOADED_FUNCTION(char, GEOSPreparedCovers_r,
    (GEOSContextHandle_t handle, const GEOSPreparedGeometry *pg1, const GEOSGeometry *g2),
    (handle, pg1, g2))
LOADED_PROCEDURE(GEOSPreparedGeom_destroy_r,
    (GEOSContextHandle_t handle, const GEOSPreparedGeometry *g),
    (handle, g))
LOADED_FUNCTION(char, GEOSPreparedIntersects_r,
    (GEOSContextHandle_t handle, const GEOSPreparedGeometry *pg1, const GEOSGeometry *g2),
    (handle, pg1, g2))
LOADED_FUNCTION(GEOSSTRtree *, GEOSSTRtree_create_r,
    (GEOSContextHandle_t handle, size_t nodeCapacity),
    (handle, nodeCapacity))
LOADED_PROCEDURE(GEOSSTRtree_destroy_r, (GEOSContextHandle_t handle, GEOSSTRtree *tree), (handle, tree))
LOADED_PROCEDURE(GEOSSTRtree_insert_r,
    (GEOSContextHandle_t handle, GEOSSTRtree *tree, const GEOSGeometry *g, void *item),
    (handle, tree, g, item))
LOADED_PROCEDURE(GEOSSTRtree_query_r,
    (GEOSContextHandle_t handle, GEOSSTRtree *tree, const GEOSGeometry *g, GEOSQueryCallback callback,
     void *userdata),
    (handle, tree, g, callback, userdata))
LOADED_FUNCTION(GEOSGeometry *, GEOSTopologyPreserveSimplify_r,
    (GEOSContextHandle_t handle, const GEOSGeometry *g, double tolerance),
    (handle, g, tolerance))
LOADED_FUNCTION(GEOSGeometry *, GEOSUnaryUnion_r,
    (GEOSContextHandle_t handle, const GEOSGeometry *g),
    (handle, g))
LOADED_FUNCTION(GEOSGeometry *, GEOSUnion_r,
    (GEOSContextHandle_t handle, const GEOSGeometry *g1, const GEOSGeometry *g2),
    (handle, g1, g2))
LOADED_PROCEDURE(GEOS_finish_r, (GEOSContextHandle_t handle), (handle))
LOADED_FUNCTION(GEOSContextHandle_t, GEOS_init_r, (void), ())
LOADED_FUNCTION(char, GEOSisEmpty_r, (GEOSContextHandle_t handle, const GEOSGeometry *g), (handle, g))
LOADED_FUNCTION(char, GEOSisValid_r, (GEOSContextHandle_t handle, const GEOSGeometry *g), (handle, g))
