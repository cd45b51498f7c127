# SPDX-License-Identifier: MIT
#
# Bulkhead as a CMake package: find_package(Bulkhead) with this folder in Bulkhead_DIR, or
# add_subdirectory of the folder above. It gives one command,
#
#   bulkhead_image(NAME DECLARATION system.toml CPU cortex-m4f TICK_CYCLES 250000 SOURCES a.c b.c)
#
# which declares the executable NAME.elf: the declared processes, and the kernel with their tables.
# Sources are told apart by their objects' names, which CMake makes "a.c.o" or "a.c.obj":
# "*a.c.*" is the pattern for a declaration's `files` and `code_files`. `kernel_files` may stay out.
#
#   CPU          cortex-m3, cortex-m4, cortex-m4f or cortex-m7f
#   TICK_CYCLES  the tick's period, in cycles of the processor
#   HOOKS        what looks on: none (the default), trace or checks (core/hooks)
#   START        a start file in place of startup/armv7-m/start.c, for a board that has to do more
#
# Handles are in <handles.h>. Sources are compiled with the project's own flags.

include_guard(GLOBAL)
find_package(Python3 3.11 REQUIRED COMPONENTS Interpreter)

# Properties and not variables: those of add_subdirectory end with the folder.
get_filename_component(folder "${CMAKE_CURRENT_LIST_DIR}" DIRECTORY)
set_property(GLOBAL PROPERTY BULKHEAD_FOLDER "${folder}")
set_property(GLOBAL PROPERTY BULKHEAD_PYTHON "${Python3_EXECUTABLE}")
set_property(GLOBAL PROPERTY BULKHEAD_cortex-m3 -mcpu=cortex-m3 -mthumb)
set_property(GLOBAL PROPERTY BULKHEAD_cortex-m4 -mcpu=cortex-m4 -mthumb)
set_property(GLOBAL PROPERTY BULKHEAD_cortex-m4f
    -mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16)
set_property(GLOBAL PROPERTY BULKHEAD_cortex-m7f
    -mcpu=cortex-m7 -mthumb -mfloat-abi=hard -mfpu=fpv5-sp-d16)

function(bulkhead_image name)
    cmake_parse_arguments(PARSE_ARGV 1 image "" "DECLARATION;CPU;TICK_CYCLES;START;HOOKS" "SOURCES")
    foreach(key DECLARATION CPU TICK_CYCLES SOURCES)
        if(NOT image_${key})
            message(FATAL_ERROR "bulkhead_image(${name}) has no ${key}; add it")
        endif()
    endforeach()
    get_property(folder GLOBAL PROPERTY BULKHEAD_FOLDER)
    get_property(flags GLOBAL PROPERTY BULKHEAD_${image_CPU})
    if(NOT flags)
        message(FATAL_ERROR "bulkhead_image(${name}): CPU is ${image_CPU}; "
            "use cortex-m3, cortex-m4, cortex-m4f or cortex-m7f")
    endif()
    set(made "${CMAKE_CURRENT_BINARY_DIR}/${name}.bulkhead")
    _bulkhead_declare("${image_DECLARATION}" "${made}")
    if(NOT image_HOOKS)
        set(image_HOOKS none)
    endif()
    if(NOT EXISTS "${folder}/core/hooks/${image_HOOKS}/hooks.h")
        message(FATAL_ERROR "bulkhead_image(${name}): HOOKS is ${image_HOOKS}; "
            "use none, trace or checks")
    endif()
    _bulkhead_kernel("${name}" "${made}" "${image_CPU}" "${image_START}" "${image_HOOKS}")
    target_compile_options(${name}_bulkhead_kernel PRIVATE ${flags})
    target_compile_definitions(${name}_bulkhead_kernel PRIVATE
        BULKHEAD_TICK_CYCLES=${image_TICK_CYCLES})

    file(GLOB user CONFIGURE_DEPENDS "${folder}/user/*.c")
    add_executable(${name} ${image_SOURCES} "${made}/user_objects.c"
        ${user} "${folder}/arch/armv7-m/sequences.S")
    target_include_directories(${name} PRIVATE "${made}" "${folder}/include"
        "${folder}/arch/armv7-m/include")
    target_compile_options(${name} PRIVATE ${flags} -ffunction-sections)
    target_link_libraries(${name} PRIVATE ${name}_bulkhead_kernel)
    target_link_options(${name} PRIVATE ${flags} -nostartfiles
        --specs=nano.specs -Wl,--gc-sections "-T${made}/layout.ld")
    set_target_properties(${name} PROPERTIES SUFFIX .elf LINK_DEPENDS "${made}/layout.ld")
endfunction()

# Makes tables, vectors and linker script whenever the declaration or the generator changes.
function(_bulkhead_declare declaration made)
    get_property(folder GLOBAL PROPERTY BULKHEAD_FOLDER)
    get_property(python GLOBAL PROPERTY BULKHEAD_PYTHON)
    get_filename_component(declaration "${declaration}" ABSOLUTE)
    file(GLOB generator CONFIGURE_DEPENDS "${folder}/tools/bulkhead_declare/*.py")
    file(MAKE_DIRECTORY "${made}")
    add_custom_command(
        OUTPUT "${made}/kernel_tables.c" "${made}/user_objects.c" "${made}/vectors.c"
            "${made}/handles.h" "${made}/layout.ld"
        COMMAND "${CMAKE_COMMAND}" -E env "PYTHONPATH=${folder}/tools"
            "${python}" -B -m bulkhead_declare "${declaration}" "${made}"
        DEPENDS "${declaration}" ${generator}
        COMMENT "Declaring ${declaration}"
        VERBATIM)
endfunction()

# A library of its own: by its name the linker script tells the kernel from the processes.
function(_bulkhead_kernel name made cpu start hooks)
    get_property(folder GLOBAL PROPERTY BULKHEAD_FOLDER)
    if(NOT start)
        set(start "${folder}/startup/armv7-m/start.c")
    endif()
    set(fpu no_fpu.S)
    if(cpu MATCHES "f$")
        set(fpu fpu.S)
    endif()
    set(arch "${folder}/arch/armv7-m")
    file(GLOB kernel CONFIGURE_DEPENDS
        "${folder}/core/*.c" "${folder}/core/hooks/${hooks}/*.c" "${arch}/*.c" "${arch}/*.S")
    list(REMOVE_ITEM kernel "${arch}/sequences.S" "${arch}/fpu.S" "${arch}/no_fpu.S")
    add_library(${name}_bulkhead_kernel STATIC ${kernel} "${arch}/${fpu}" ${start}
        "${made}/kernel_tables.c" "${made}/vectors.c")
    target_include_directories(${name}_bulkhead_kernel PRIVATE "${folder}/core"
        "${folder}/core/hooks/${hooks}"
        "${folder}/include" "${arch}" "${arch}/include")
    target_compile_options(${name}_bulkhead_kernel PRIVATE -ffunction-sections
        $<$<COMPILE_LANGUAGE:C>:-std=c11>)
endfunction()
