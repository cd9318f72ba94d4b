#version 330 core
// A box between two corners, as the three faces that the eye can see; every instance is one box.
layout(location = 0) in vec3 corner;  // in the face: along its two axes, and which axis it stands on
layout(location = 1) in vec3 low;
layout(location = 2) in vec3 high;
layout(location = 3) in vec4 fill;
layout(location = 4) in vec4 edge;
layout(location = 5) in float width;

uniform mat4 matrix;
uniform vec3 light;
uniform float ambient;
uniform float key;
uniform vec3 eye;

out vec2 place;
flat out vec2 side;
flat out vec4 fillColour;
flat out vec4 edgeColour;
flat out float edgeWidth;

void main() {
    int axis = int(corner.z);
    int u = (axis + 1) % 3;
    int v = (axis + 2) % 3;
    vec3 size = high - low;
    place = corner.xy * vec2(size[u], size[v]);
    side = vec2(size[u], size[v]);
    bool upper = eye[axis] > high[axis];
    bool seen = upper || eye[axis] < low[axis];
    vec3 at = low;
    at[u] += place.x;
    at[v] += place.y;
    if (upper) at[axis] = high[axis];
    vec3 normal = vec3(0.0);
    normal[axis] = upper ? 1.0 : -1.0;
    // Soft light from everywhere, and a key light that goes with the eye: what faces it shows its true colour.
    float shade = min(1.0, ambient + key * max(dot(normal, light), 0.0));
    fillColour = vec4(fill.rgb * shade, fill.a);
    edgeColour = edge;
    edgeWidth = width;
    gl_Position = seen ? matrix * vec4(at, 1.0) : vec4(0.0, 0.0, 2.0, 1.0);  // turned away: nowhere
}
